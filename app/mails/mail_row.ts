import type { MailBudget } from '#auth/lockout/mail_budget'
import type { MailContents, TemplateName } from '#mails/templates/contents'

/** A row of `mails`. */
export interface MailRow {
  id: string
  user_id: string | null
  kind: TemplateName
  recipient: string
  payload: string | null
  /** What the mail is counted by, and dropped beyond; null for a mail that is always sent. */
  budget: MailBudget | null
  attempts: number
  created_at: number | string
}

/** What the row's `payload` holds, decrypted. */
export type Contents = Partial<MailContents[TemplateName]>
