import db from '@adonisjs/lucid/services/db'
import { clientNames } from '#oidc/grants/applications'
import type { AuditRecord } from '#audit/trail/audit_record'

/** A removed key or client is known only by its id. */
export interface Delegate {
  kind: 'api_key' | 'client'
  name: string
}

const DELEGATE = /^(key|client):(.+)$/

type Acted = Pick<AuditRecord, 'actor'>

/** @returns the delegates by the actor that the events name */
export async function findDelegates(events: Acted[]): Promise<Map<string, Delegate>> {
  const keys = idsOf(events, 'key')
  const clients = idsOf(events, 'client')
  const keyNames = await namesOfKeys(keys)
  const names = clients.length > 0 ? await clientNames(clients) : new Map<string, string>()
  return new Map([
    ...keys.map((id) => entry(`key:${id}`, { kind: 'api_key', name: keyNames.get(id) ?? id })),
    ...clients.map((id) => entry(`client:${id}`, { kind: 'client', name: names.get(id) ?? id })),
  ])
}

const entry = (actor: string, delegate: Delegate): [string, Delegate] => [actor, delegate]

function idsOf(events: Acted[], prefix: 'key' | 'client') {
  const matches = events.map(({ actor }) => DELEGATE.exec(actor))
  return [...new Set(matches.filter((match) => match?.[1] === prefix).map((match) => match![2]))]
}

async function namesOfKeys(ids: string[]) {
  const rows = ids.length > 0 ? await db.from('api_keys').whereIn('id', ids) : []
  return new Map<string, string>(rows.map((row) => [row.id, row.name]))
}
