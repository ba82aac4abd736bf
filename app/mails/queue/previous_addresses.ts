import limits from '#config/limits'
import { isPlaceholder } from '#models/email'
import { selectRows } from '#database/select_rows'
import { UNDO_KINDS } from '#mails/templates/kinds'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/** Call it before a deletion. Previous addresses are told: a thief may have changed the address. */
export async function findProvedAddresses(user: User, trx: Transaction) {
  const { id, email, isEmailVerified } = user
  const previous = await findPreviousAddresses(id, email, trx)
  return isEmailVerified && !isPlaceholder(email) ? [...previous, email] : previous
}

/** Returns addresses that the user proved, and whose link to undo the change works or is queued. */
export async function findPreviousAddresses(userId: string, current: string, trx: Transaction) {
  const marks = UNDO_KINDS.map(() => '?').join(', ')
  const rows = await selectRows<{ email: string }>(
    trx,
    `SELECT email FROM (
       SELECT email, created_at FROM one_time_tokens
        WHERE user_id = ? AND purpose = 'email_change_undo' AND expires_at > ?
       UNION ALL
       SELECT recipient, created_at FROM mails
        WHERE user_id = ? AND status = 'queued' AND kind IN (${marks})
     ) AS undo WHERE email <> ? GROUP BY email ORDER BY min(created_at) LIMIT ?`,
    [userId, Date.now(), userId, ...UNDO_KINDS, current, limits.previousAddresses]
  )
  return rows.map(({ email }) => email)
}
