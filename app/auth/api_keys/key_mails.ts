import { mailedAdministrators } from '#auth/administrators'
import { queueMail } from '#mails/queue/queue_mail'
import type User from '#models/user'
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

/** Returns an empty text if a user owns the key. */
export const serviceNameOf = (owner: User) => (owner.isService ? owner.username : '')

/** A service account has no mailbox: the key's administrator gets the mail, or else all do. */
export async function findRecipients({ owner, key }: KeyMail, trx: Transaction): Promise<User[]> {
  return owner.isService ? administratorsOf(key, trx) : [owner]
}

/** This mail belongs to no event, because only the passing of time causes it. */
export async function queueExpiryMails({ owner, key }: KeyMail, trx: Transaction) {
  const { name: keyName, scopes } = key
  const endsAt = new Date(Number(key.expires_at)).toISOString()
  const contents = { keyName, scopes, endsAt, account: serviceNameOf(owner) }
  for (const { id: userId, email: recipient } of await findRecipients({ owner, key }, trx)) {
    await queueMail({ kind: 'api_key_expiring', recipient, userId, contents }, trx)
  }
}

async function administratorsOf({ created_by: makerId }: MailedKey, trx: Transaction) {
  const makers = makerId ? await mailedAdministrators(trx).where('id', makerId) : []
  return makers.length > 0 ? makers : mailedAdministrators(trx)
}
