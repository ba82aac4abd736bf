import { recordAudit } from '#audit/trail'
import { coalesceEvent } from '#audit/trail/coalesced_events'
import { EVENTS, type AuditedType, type EventType } from './event_types.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/*
 | The one place where it is said that something happened. The trail, mails and back-channel
 | logout hear of it in the transaction of the change: all of it commits, or nothing does.
 */

type ShapeOf<Type extends EventType> = NonNullable<(typeof EVENTS)[Type]['shape']>

/** A field that may be missing where it holds nothing. */
type Field<Name extends string, Value> =
  Record<string, never> extends Value ? { [N in Name]?: Value } : { [N in Name]: Value }

/** An event as it is recorded. */
export type EventOf<Type extends EventType> = {
  type: Type
  /** The user that it happened to. */
  user: ShapeOf<Type>['user']
  outcome?: 'success' | 'failure'
} & (Type extends AuditedType ? { actor: Actor } : { actor?: never }) &
  Field<'details', ShapeOf<Type>['details']> &
  Field<'context', ShapeOf<Type>['context']>

/** An event as subscribers hear it. */
export interface HeardEvent<Type extends EventType = EventType> {
  type: Type
  user: ShapeOf<Type>['user']
  actor: Actor
  outcome?: 'success' | 'failure'
  details: ShapeOf<Type>['details']
  context: ShapeOf<Type>['context']
}

/** An event that only the trail hears of, which needs no more of its user than the id. */
interface CoalescedEvent<Type extends AuditedType> {
  type: Type
  user: { id: string } | null
  actor: Actor
  outcome?: 'success' | 'failure'
  details: ShapeOf<Type>['details']
}

type Subscriber<Type extends EventType = EventType> = (
  event: HeardEvent<Type>,
  trx: Transaction
) => Promise<void>

const subscribers: Subscriber[] = []

/** Has a function hear every event, in its transaction and before the trail keeps it. */
export function subscribeToAll(hear: Subscriber) {
  subscribers.push(hear)
}

/** Has a function hear the events of one type. */
export function subscribe<Type extends EventType>(type: Type, hear: Subscriber<Type>) {
  subscribeToAll(async (event, trx) => {
    if (event.type === type) await hear(event as HeardEvent<Type>, trx)
  })
}

/** Records an event in the transaction of the change that it tells of. */
export async function record<Type extends EventType>(trx: Transaction, event: EventOf<Type>) {
  const heard = { details: {}, context: {}, ...event } as HeardEvent
  for (const subscriber of subscribers) await subscriber(heard, trx)
  if (EVENTS[event.type].isAudited) await recordAudit(toEntry(heard), trx)
}

/**
 * Records a refusal that a client can cause at will: the first of a cause within a window at
 * once, the others as one event with a count. It has a transaction of its own, and no subscriber
 * but the trail.
 *
 * @param cause what tells the causes of a type apart, such as a user or a provider
 */
export function recordCoalesced<Type extends AuditedType>(
  event: CoalescedEvent<Type>,
  cause: string[]
) {
  return coalesceEvent(toEntry(event), cause)
}

type Audited = Pick<HeardEvent, 'actor' | 'outcome'> & {
  type: string
  user: { id: string } | null
  details: object
}

function toEntry({ type, user, actor, outcome, details }: Audited) {
  return { action: type, targetId: user?.id ?? null, actor, outcome, details }
}
