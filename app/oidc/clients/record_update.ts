import limits from '#config/limits'
import { record } from '#events/record'
import { changedFields, type FieldName } from './client_fields.ts'
import { hostOf } from './redirect_uris.ts'
import type { Actor } from '#audit/actor'
import type { Change } from '#events/details'
import type { OAuthClient } from './client.ts'
import type { Transaction } from '#database/transaction'

interface By {
  actor: Actor
  trx: Transaction
}

export async function recordUpdate(before: OAuthClient, after: OAuthClient, { actor, trx }: By) {
  const { clientId, name, kind } = after
  const fields = Object.keys(changedFields(before, after)) as FieldName[]
  const pairs = fields.map((field) => [field, changeOf(field, before, after)])
  const logo = before.logo !== after.logo && { logo: 'changed' }
  const details = { clientId, name, kind, ...Object.fromEntries(pairs), ...logo }
  await record(trx, { type: 'client.updated', user: null, actor, details })
}

/** The first form that is short enough. No event can be removed: long ones would fill the disk. */
function changeOf(field: FieldName, before: OAuthClient, after: OAuthClient): Change | string {
  if (field === 'jwks') return 'changed'
  const changes = [shown, shortened, bounded].map((form) => ({
    before: form(field, before),
    after: form(field, after),
  }))
  return changes.find(isShort) ?? changes.at(-1)!
}

function isShort({ before, after }: Change) {
  return [before, after].every((value) => JSON.stringify(value).length <= limits.auditedClientValue)
}

/** No browser is sent to the receiver of logouts: as of a webhook, its path may hold a secret. */
function shown(field: FieldName, client: OAuthClient) {
  const { backchannelLogoutUri: uri, claims } = client
  if (field === 'backchannelLogoutUri') return uri && hostOf(uri)
  if (field === 'claims') return Object.entries(claims).map((claim) => claim.join(': '))
  return client[field]
}

const ADDRESSES: FieldName[] = ['redirectUris', 'postLogoutRedirectUris', 'homeUrl', 'jwksUri']

function shortened(field: FieldName, client: OAuthClient) {
  const value = shown(field, client)
  if (field === 'claims') return Object.keys(client.claims)
  if (!ADDRESSES.includes(field) || value === null) return value
  return Array.isArray(value) ? [...new Set(value.map(hostOf))] : hostOf(String(value))
}

function bounded(field: FieldName, client: OAuthClient) {
  const [all, value] = [shown(field, client), shortened(field, client)]
  if (Array.isArray(all)) return all.length
  return typeof value === 'string' ? value.slice(0, limits.auditedClientValue) : value
}
