import type { Addressee } from '#events/details'
import type { EventType } from '#events/event_types'
import type { RecordedEvent } from '#events/record'
import type { MailBudget } from '#auth/lockout/mail_budget'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type { MailContents, TemplateName } from './contents.ts'

interface To {
  recipient: string
  userId: string | null
}

/** A mail to the user of the event, unless the draft names another recipient. */
export type Draft<Kind extends TemplateName, User = unknown> = {
  contents: MailContents[Kind]
  budget?: MailBudget | null
} & (User extends Addressee ? Partial<To> : To)

type SentOn<Kind extends TemplateName> = {
  [Type in EventType]?: (event: RecordedEvent<Type>) => Draft<Kind, RecordedEvent<Type>['user']>[]
}

export interface Template<Kind extends TemplateName> {
  /** Empty if a request or a schedule queues the mail. */
  sentOn: SentOn<Kind>
  /** The page of the link, and what its token permits. */
  link?: { page: string; purpose: OneTimePurpose }
  /** The mail is for the present user of the address. Other mails are for the user who had it. */
  isForAddress?: boolean
  /** Also sent to unproved addresses, because its link proves them. */
  provesAddress?: boolean
  /** A thief who changed the address would otherwise do the rest unseen. */
  notifiesPreviousAddresses?: boolean
  /** Sent after its user was deleted: its row names no user and is not kept. */
  outlivesUser?: boolean
  budget?: MailBudget
}
