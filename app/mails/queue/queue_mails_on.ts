import { TEMPLATES } from '#mails/templates/templates'
import type { Addressee } from '#events/details'
import type { EventType } from '#events/event_types'
import type { RecordedEvent } from '#events/record'
import type { Draft } from '#mails/templates/template'
import type { TemplateName } from '#mails/templates/contents'
import type { Transaction } from '#database/transaction'
import { queueMail } from './queue_mail.ts'

interface CausedMail {
  kind: TemplateName
  draftsOf: (event: RecordedEvent) => Draft<TemplateName, Addressee>[]
}

const CAUSED = Map.groupBy(
  Object.entries(TEMPLATES).flatMap(([kind, { sentOn }]) =>
    Object.entries(sentOn).map(([type, draftsOf]) => ({ type, kind, draftsOf }))
  ),
  ({ type }) => type as EventType
) as unknown as Map<EventType, CausedMail[]>

export async function queueMailsOn(event: RecordedEvent, trx: Transaction) {
  for (const { kind, draftsOf } of CAUSED.get(event.type) ?? []) {
    for (const draft of draftsOf(event)) {
      const { id: userId, email: recipient } = (event.user ?? {}) as Addressee
      await queueMail({ kind, userId, recipient, ...draft }, trx)
    }
  }
}
