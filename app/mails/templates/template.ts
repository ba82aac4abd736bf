import type { Addressee } from '#events/details'
import type { EventType } from '#events/event_types'
import type { HeardEvent } from '#events/record'
import type { MailBudget } from '#auth/lockout/mail_budget'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type { MailContents, TemplateName } from './contents.ts'

interface To {
  recipient: string
  /** Null in a mail to an address: its user is looked up when the mail is composed. */
  userId: string | null
}

/** A mail that an event causes: to the user of the event, unless it names another recipient. */
export type Draft<Kind extends TemplateName, User = unknown> = {
  contents: MailContents[Kind]
  /** Unless given, that of the template. */
  budget?: MailBudget | null
} & (User extends Addressee ? Partial<To> : To)

/** The events that a mail is sent on, and the mails that each of them causes. */
type SentOn<Kind extends TemplateName> = {
  [Type in EventType]?: (event: HeardEvent<Type>) => Draft<Kind, HeardEvent<Type>['user']>[]
}

export interface Template<Kind extends TemplateName> {
  /** Nothing where a request, or time, queues the mail and no event does. */
  sentOn: SentOn<Kind>
  /** The page of the link, and what its token permits. */
  link?: { page: string; purpose: OneTimePurpose }
  /**
   * Whether the mail is for the user who has the address when it is composed. Other mails
   * are for the user for whom they were queued, even if their address has changed since.
   */
  isForAddress?: boolean
  /** Whether the mail has a link that proves its address, which therefore need not be proved. */
  provesAddress?: boolean
  /**
   * Whether addresses whose link to undo a change still works get a notice too: a thief who has
   * changed the address would otherwise do the rest unseen.
   */
  notifiesPreviousAddresses?: boolean
  /** Whether the mail is sent after its user was deleted. Its row names no user and is not kept. */
  outlivesUser?: boolean
  /** What mails of this kind are counted by, and dropped beyond. */
  budget?: MailBudget
}
