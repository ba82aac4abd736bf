import limits from '#config/limits'
import User, { ADMIN_ROLE } from '#models/user'
import type { Transaction } from '#database/transaction'

/** Selects the recipients of a mail to the administrators. */
export function mailedAdministrators(trx: Transaction, most = limits.keyMailRecipients) {
  return User.query({ client: trx })
    .where({ role: ADMIN_ROLE, kind: 'person' })
    .whereNull('disabled_at')
    .orderBy('id')
    .limit(most)
}
