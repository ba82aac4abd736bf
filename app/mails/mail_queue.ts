import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import type { Transaction } from '#auth/store/contract'

/** What each kind of mail tells besides its recipient. Tokens are for links; they are kept encrypted. */
export interface MailContents {
  account_locked: { lockedUntil: string }
  password_changed: Record<string, never>
  password_reset: { token: string }
  email_verification: { token: string }
  email_changed: { newEmail: string }
  invitation: { token: string }
  refresh_reused: { deviceName: string }
}

export type MailKind = keyof MailContents

export interface QueuedMail<Kind extends MailKind = MailKind> {
  kind: Kind
  recipient: string
  userId: string | null
  contents: MailContents[Kind]
}

/** Queues a mail in the transaction of what it tells about: it is sent if and only if that happened. */
export async function queueMail<Kind extends MailKind>(mail: QueuedMail<Kind>, trx: Transaction) {
  await trx.table('mails').insert({
    id: uuidv7(),
    user_id: mail.userId,
    kind: mail.kind,
    recipient: mail.recipient,
    payload: encryption.encrypt(mail.contents),
    status: 'queued',
    attempts: 0,
    created_at: Date.now(),
  })
}
