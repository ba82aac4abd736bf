import db from '@adonisjs/lucid/services/db'
import { toRecords } from '#audit/trail/audit_record'
import User from '#models/user'
import type { EventRow } from '#audit/event_row'
import { publicActor, type PublicActor } from './actor.ts'
import { DESCRIBED } from './described_types.ts'
import { COMPOSE, type Composed, type Members } from './members.ts'
import { publicTypeOf } from './public_types.ts'

/*
 | The data is composed at each try and stored nowhere. After a user is erased, only an id is left:
 | the key of the details and the row with the address are gone.
 */

export interface EventData extends Partial<Members> {
  sequence: number
  actor: PublicActor
}

export async function composeData(row: EventRow) {
  const [data] = await composeAll([row])
  return data
}

/** Composes the data in the order of the events, with three statements in total. */
export async function composeAll(rows: EventRow[]): Promise<EventData[]> {
  const events = await toRecords(rows.map(withoutSource))
  const emails = await findEmails(events.flatMap(({ targetId }) => targetId ?? []))
  const groupNames = await findNames(events.flatMap(({ details }) => groupOf(details)))
  return rows.map((row, index) => compose(row, { event: events[index], emails, groupNames }))
}

/** Receivers do not learn IP addresses or devices, so neither is decrypted. */
function withoutSource(row: EventRow): EventRow {
  return { ...row, origin_key: null }
}

function compose(row: EventRow, composed: Composed): EventData {
  const type = publicTypeOf(row)
  if (!type) throw new Error(`No webhook tells of ${row.action}: see app/webhooks/types`)
  const { event } = composed
  const members = DESCRIBED[type].members.flatMap((name) => {
    const value = COMPOSE[name](composed, event.details)
    return value === null || value === undefined ? [] : [[name, value]]
  })
  return { sequence: row.sequence!, actor: publicActor(event), ...Object.fromEntries(members) }
}

function groupOf({ groupId }: Record<string, unknown>) {
  return typeof groupId === 'string' ? [groupId] : []
}

/** A service account has no mailbox. */
async function findEmails(ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await User.query().whereIn('id', ids).select('id', 'email', 'kind')
  return new Map(users.flatMap(({ id, mailbox }) => (mailbox === null ? [] : [[id, mailbox]])))
}

async function findNames(ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const groups = await db.from('groups').whereIn('id', ids).select('id', 'name')
  return new Map(groups.map(({ id, name }) => [id, name]))
}
