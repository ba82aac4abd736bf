import limits from '#config/limits'
import { record } from '#events/record'
import { changedFields, DEFAULTS, type FieldName } from './client_fields.ts'
import { hostOf } from './redirect_uris.ts'
import type { Actor } from '#audit/actor'
import type { Change } from '#events/details'
import type { ClientSettings, OAuthClient } from './client.ts'
import type { Transaction } from '#database/transaction'

interface By {
  actor: Actor
  trx: Transaction
}

export async function recordUpdate(before: OAuthClient, after: OAuthClient, { actor, trx }: By) {
  const { clientId, name, kind } = after
  const logo = before.logo !== after.logo && { logo: 'changed' }
  const details = { clientId, name, kind, ...changesBetween(before, after), ...logo }
  await record(trx, { type: 'client.updated', user: null, actor, details })
}

type Changes = Record<string, Change | string>

function changesBetween(before: ClientSettings, after: ClientSettings): Changes {
  const fields = Object.keys(changedFields(before, after)) as FieldName[]
  return Object.fromEntries(fields.map((field) => [field, changeOf(field, before, after)]))
}

/** Returns what differs from the defaults. Each event contains name and kind of the client. */
export function changesOfNew(client: OAuthClient) {
  const { name, kind } = client
  return changesBetween({ ...DEFAULTS, name, kind }, client)
}

/** Shows the deleted settings: a thief could register a client, use it and delete it. */
export function changesOfDeleted(client: OAuthClient) {
  const fields = Object.entries(changesOfNew(client))
  const pairs = fields.map(([field, change]) => [field, withoutAfter(change)])
  return Object.fromEntries(pairs) as Changes
}

function withoutAfter(change: Change | string) {
  return typeof change === 'string' ? change : { before: change.after, after: null }
}

/** Returns the first form that is short enough. Events are permanent: long ones fill the disk. */
function changeOf(
  field: FieldName,
  before: ClientSettings,
  after: ClientSettings
): Change | string {
  if (field === 'jwks') return 'changed'
  const changeIn = (form: Form) => ({ before: form(field, before), after: form(field, after) })
  for (const form of [shown, shortened]) {
    const change = changeIn(form)
    if (isShort(change)) return change
  }
  return changeIn(bounded)
}

type Form = (field: FieldName, client: ClientSettings) => Change['before']

function isShort({ before, after }: Change) {
  return [before, after].every((value) => JSON.stringify(value).length <= limits.auditedClientValue)
}

/** No browser is sent to the receiver of logouts: like a webhook, its path may hold a secret. */
function shown(field: FieldName, client: ClientSettings) {
  const { backchannelLogoutUri: uri, claims } = client
  if (field === 'backchannelLogoutUri') return uri && hostOf(uri)
  if (field === 'claims') return Object.entries(claims).map((claim) => claim.join(': '))
  return client[field]
}

const ADDRESSES: FieldName[] = ['redirectUris', 'postLogoutRedirectUris', 'homeUrl', 'jwksUri']

function shortened(field: FieldName, client: ClientSettings) {
  const value = shown(field, client)
  if (field === 'claims') return Object.keys(client.claims)
  if (!ADDRESSES.includes(field) || value === null) return value
  return Array.isArray(value) ? [...new Set(value.map(hostOf))] : hostOf(String(value))
}

function bounded(field: FieldName, client: ClientSettings) {
  const [all, value] = [shown(field, client), shortened(field, client)]
  if (Array.isArray(all)) return all.length
  return typeof value === 'string' ? value.slice(0, limits.auditedClientValue) : value
}
