import type { MailBudget } from '#auth/lockout/mail_budget'
import type { MailContents, TemplateName } from '#mails/templates/contents'

export interface QueuedMail<Kind extends TemplateName = TemplateName> {
  kind: Kind
  recipient: string
  /** Null in a mail to an address: its user is looked up when the mail is composed. */
  userId: string | null
  contents: MailContents[Kind]
  budget?: MailBudget | null
}
