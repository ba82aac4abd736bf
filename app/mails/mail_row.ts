import type { MailBudget } from '#auth/lockout/mail_budget'
import type { MailContents, TemplateName } from '#mails/templates/contents'

export interface MailRow {
  id: string
  user_id: string | null
  kind: TemplateName
  recipient: string
  payload: string | null
  /** The limit that counts the mail; null for a mail that is always sent. */
  budget: MailBudget | null
  attempts: number
  created_at: number | string
}

export type Contents = Partial<MailContents[TemplateName]>
