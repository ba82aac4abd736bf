import { recordAudit } from '#audit/record_audit'
import { coalesceEvent, countRepeated } from '#audit/trail/coalesced_events'
import { holdEndedSessions, takeEndedSessions } from './ended_sessions.ts'
import { EVENTS, type AuditedType, type EventType } from './event_types.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/*
 | Subscribers and the trail write in the transaction of the change: all of it commits, or nothing.
 */

type ShapeOf<Type extends EventType> = NonNullable<(typeof EVENTS)[Type]['shape']>

/** A field that may be missing if it contains nothing. */
type Field<Name extends string, Value> =
  Record<string, never> extends Value ? { [N in Name]?: Value } : { [N in Name]: Value }

export type EventOf<Type extends EventType> = {
  type: Type
  user: ShapeOf<Type>['user']
  outcome?: 'success' | 'failure'
} & (Type extends AuditedType ? { actor: Actor } : { actor?: never }) &
  Field<'details', ShapeOf<Type>['details']> &
  Field<'context', ShapeOf<Type>['context']>

export interface RecordedEvent<Type extends EventType = EventType> {
  type: Type
  user: ShapeOf<Type>['user']
  actor: Actor
  outcome?: 'success' | 'failure'
  details: ShapeOf<Type>['details']
  context: ShapeOf<Type>['context']
}

/** An event whose only subscriber is the trail, which needs only the id of the user. */
interface CoalescedEvent<Type extends AuditedType> {
  type: Type
  user: { id: string } | null
  actor: Actor
  outcome?: 'success' | 'failure'
  details: ShapeOf<Type>['details']
}

type Subscriber<Type extends EventType = EventType> = (
  event: RecordedEvent<Type>,
  trx: Transaction
) => Promise<void>

const subscribers: Subscriber[] = []

/**
 * Calls a function for every event, in its transaction and before the trail writes it. `providers`
 * subscribes; a mail is sent on the events in `sentOn` of its template (`app/mails/templates`).
 */
export function subscribeToAll(hear: Subscriber) {
  subscribers.push(hear)
}

export function subscribe<Type extends EventType>(type: Type, hear: Subscriber<Type>) {
  subscribeToAll(async (event, trx) => {
    if (event.type === type) await hear(event as RecordedEvent<Type>, trx)
  })
}

/** @returns the id of the event in the trail; null for one that the trail does not keep */
export async function record<Type extends EventType>(trx: Transaction, event: EventOf<Type>) {
  const heard = { details: {}, context: {}, ...event } as RecordedEvent
  const release = holdEndedSessions(trx)
  for (const subscriber of subscribers) await subscriber(heard, trx)
  release()
  if (!EVENTS[event.type].isAudited) return null
  const entry = toEntry(heard)
  // After the subscribers, because some of them end sessions.
  const ended = EVENTS[event.type].isPublic ? takeEndedSessions(entry.details, trx) : {}
  return recordAudit({ ...entry, details: { ...entry.details, ...ended } }, trx)
}

/**
 * A client can cause refusals at will, so one event counts all but the first of a time window. The
 * counts are written in a transaction of their own.
 * @param cause tells the causes of a type apart, such as a user or a provider
 */
export function recordCoalesced<Type extends AuditedType>(
  event: CoalescedEvent<Type>,
  cause: string[]
) {
  return coalesceEvent(toEntry(event), cause)
}

/** For a limit of events. @returns whether an existing event of its cause counts it */
export function countCoalesced(type: AuditedType, cause: string[]) {
  return countRepeated(type, cause)
}

type Audited = Pick<RecordedEvent, 'actor' | 'outcome'> & {
  type: string
  user: { id: string } | null
  details: object
}

function toEntry({ type, user, actor, outcome, details }: Audited) {
  return { action: type, targetId: user?.id ?? null, actor, outcome, details }
}
