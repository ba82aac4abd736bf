import { queueMail } from '#mails/queue_mail'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

export interface MailedKey {
  name: string
  scopes: string
  expires_at: number
}

/** Tells the owner: a key works without their password, so a stranger's must not go unnoticed. */
export async function queueKeyCreatedMail(owner: User, key: MailedKey, trx: Transaction) {
  await queueKeyMail('api_key_created', { owner, key }, trx)
}

export async function queueKeyExpiringMail(owner: User, key: MailedKey, trx: Transaction) {
  await queueKeyMail('api_key_expiring', { owner, key }, trx)
}

async function queueKeyMail(
  kind: 'api_key_created' | 'api_key_expiring',
  { owner, key }: { owner: User; key: MailedKey },
  trx: Transaction
) {
  const { name: keyName, scopes } = key
  const contents = { keyName, scopes, endsAt: new Date(Number(key.expires_at)).toISOString() }
  await queueMail({ kind, recipient: owner.email, userId: owner.id, contents }, trx)
}
