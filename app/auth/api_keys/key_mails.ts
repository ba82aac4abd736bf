import limits from '#config/limits'
import User, { ADMIN_ROLE } from '#models/user'
import { queueMail } from '#mails/queue/queue_mail'
import type { Transaction } from '#database/transaction'

export interface MailedKey {
  name: string
  scopes: string
  expires_at: number
  created_by: string | null
}

interface KeyMail {
  owner: User
  key: MailedKey
}

type KeyMailKind = 'api_key_created' | 'api_key_expiring'

/**
 * Tells the owner about a key: it works without their password, so a stranger's must not go
 * unnoticed. A service account has no mailbox: the administrator who made the key is told
 * or, where that was a command or they are gone, every administrator.
 */
export async function queueKeyMails(kind: KeyMailKind, { owner, key }: KeyMail, trx: Transaction) {
  const { name: keyName, scopes } = key
  const endsAt = new Date(Number(key.expires_at)).toISOString()
  const contents = { keyName, scopes, endsAt, account: owner.isService ? owner.username : '' }
  const recipients = owner.isService ? await administratorsOf(key, trx) : [owner]
  for (const { id, email } of recipients) {
    await queueMail({ kind, recipient: email, userId: id, contents }, trx)
  }
}

async function administratorsOf({ created_by: makerId }: MailedKey, trx: Transaction) {
  const administrators = () =>
    User.query({ client: trx })
      .where({ role: ADMIN_ROLE, kind: 'person' })
      .whereNull('disabled_at')
      .orderBy('id')
      .limit(limits.keyMailRecipients)
  const makers = makerId ? await administrators().where('id', makerId) : []
  return makers.length > 0 ? makers : administrators()
}
