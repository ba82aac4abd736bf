import type { MailContents, TemplateName } from './templates.ts'

/** A row of `mails`. */
export interface MailRow {
  id: string
  user_id: string | null
  kind: TemplateName
  recipient: string
  payload: string | null
  attempts: number
  created_at: number | string
}

/** What the row's `payload` holds, decrypted. */
export type Contents = Partial<MailContents[TemplateName]>
