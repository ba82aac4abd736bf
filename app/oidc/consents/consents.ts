import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { lockForChange } from '#auth/lock_for_change'
import { record } from '#events/record'
import { E_NOT_FOUND, E_UNAVAILABLE } from '#exceptions/http_errors'
import { CLIENT_SCOPES, IDENTITY_SCOPES } from '#oidc/clients/client'
import { lockForSession } from '#oidc/clients/client_rows'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { isOwnApi } from '#oidc/tokens/own_resource'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* This file owns `oauth_consents` and `oauth_consent_scopes`, read at each authorization. */

export interface RequestedAccess {
  scopes: string[]
  /** Other services that accept the tokens (RFC 8707). */
  resources: string[]
  /** Scopes that claims or the client's settings imply, at no service. */
  implied?: string[]
}

export interface Consent {
  userId: string
  clientId: string
}

interface Access {
  resource: string
  scope: string
}

const keyOf = ({ userId, clientId }: Consent) => ({ user_id: userId, client_id: clientId })

/** A service that gets no scope still gets a token, so the page has to show it as well. */
const NO_SCOPE = ''

/** Only the API accepts its own scopes. */
function accessesOf({ scopes, resources, implied = [] }: RequestedAccess): Access[] {
  const identity = IDENTITY_SCOPES.filter((scope) => scopes.includes(scope))
  const at = (resource: string, granted: readonly string[]) =>
    granted.map((scope) => ({ resource, scope }))
  const ofServices = resources.flatMap((each) => {
    const granted = isOwnApi(each) ? scopes : identity
    return at(each, granted.length > 0 ? granted : [NO_SCOPE])
  })
  return [...at('', [...identity, ...implied]), ...ofServices]
}

export async function isConsented(consent: Consent, access: RequestedAccess, trx?: Transaction) {
  const rows = await selectAccess(keyOf(consent), trx)
  const given = new Set(rows.map(({ resource, scope }) => `${scope} ${resource}`))
  const isGiven = ({ resource, scope }: Access) => given.has(`${scope} ${resource}`)
  return rows.length > 0 && accessesOf(access).every(isGiven)
}

export async function hasConsented(consent: Consent) {
  const rows = await selectAccess(keyOf(consent))
  return rows.length > 0
}

/** Returns one row without a scope for an empty consent. */
function selectAccess(match: Record<string, string>, trx?: Transaction) {
  return (trx ?? db)
    .from('oauth_consents as consent')
    .leftJoin('oauth_consent_scopes as access', 'access.consent_id', 'consent.id')
    .where(match)
    .select('consent.client_id', 'consent.updated_at', 'access.resource', 'access.scope')
}

export async function giveConsent(consent: Consent, access: RequestedAccess, actor: Actor) {
  await db.transaction(async (trx) => {
    await lockForChange(consent.userId, actor, trx)
    await addConsent(consent, access, { actor, trx })
  })
}

/**
 * Records no event for a repeated consent, so that a page sent again cannot fill the audit log.
 *
 * @throws E_NOT_FOUND for a deleted client, E_UNAVAILABLE while a metadata client is being deleted
 */
export async function addConsent(
  consent: Consent,
  access: RequestedAccess,
  { actor, trx }: { actor: Actor; trx: Transaction }
) {
  await assertNotDeleted(consent.clientId, trx)
  const now = Date.now()
  const { scopes, resources, implied = [] } = access
  const { id, isNew } = await insertOrFind(consent, now, trx)
  const added = await insertAccess(id, accessesOf(access), trx)
  if (!isNew && added === 0) return
  if (isNew) await forgetOldestConsents(consent.userId, trx)
  await forgetOtherServices(id, resources, trx)
  await trx.from('oauth_consents').where({ id }).update({ updated_at: now })
  const details = { clientId: consent.clientId, scopes: [...scopes, ...implied], resources }
  const user = { id: consent.userId }
  await record(trx, { type: 'application.consented', user, actor, details })
}

/** The lock lets a deletion find the consent: another client could be registered with the id. */
async function assertNotDeleted(clientId: string, trx: Transaction) {
  if (await lockForSession(clientId, trx)) return
  throw isMetadataUrl(clientId) ? new E_UNAVAILABLE() : new E_NOT_FOUND()
}

async function insertOrFind(consent: Consent, now: number, trx: Transaction) {
  const row = { id: uuidv7(), ...keyOf(consent), created_at: now, updated_at: now }
  const query = trx.knexQuery().insert(row).into('oauth_consents')
  await query.onConflict(['user_id', 'client_id']).ignore()
  const { id } = await trx.from('oauth_consents').where(keyOf(consent)).first()
  return { id: id as string, isNew: id === row.id }
}

async function insertAccess(consentId: string, accesses: Access[], trx: Transaction) {
  if (accesses.length === 0) return 0
  const rows = accesses.map((access) => ({ consent_id: consentId, ...access }))
  const query = trx.knexQuery().insert(rows).into('oauth_consent_scopes')
  const added = await query
    .onConflict(['consent_id', 'resource', 'scope'])
    .ignore()
    .returning('scope')
  return added.length
}

/** Deletes the least recent consents beyond the limit. */
async function forgetOldestConsents(userId: string, trx: Transaction) {
  const newest = trx.from('oauth_consents').where('user_id', userId).select('id')
  const old = await newest
    .orderBy([
      { column: 'updated_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limits.consents)
    .offset(limits.consents)
  const ids = old.map((row) => row.id)
  if (ids.length > 0) await trx.from('oauth_consents').whereIn('id', ids).delete()
}

/** Keeps only the services of this request if there are more than the limit. */
async function forgetOtherServices(consentId: string, resources: string[], trx: Transaction) {
  const services = () =>
    trx.from('oauth_consent_scopes').where('consent_id', consentId).whereNot('resource', '')
  const [{ total }] = await services().countDistinct('resource as total')
  if (Number(total) <= limits.consentedServices) return
  await services().whereNotIn('resource', resources).delete()
}

export interface GivenConsent {
  scopes: string[]
  /** In milliseconds since the epoch. */
  consentedAt: number
}

/** Returns consents by client id, without services: each of 500 consents may name 50 services. */
export async function findConsents(userId: string): Promise<Map<string, GivenConsent>> {
  const rows = await selectAccess({ user_id: userId })
    .clearSelect()
    .distinct('consent.client_id', 'consent.updated_at', 'access.scope')
  return new Map(
    [...Map.groupBy(rows, (row) => row.client_id as string)].map(([clientId, own]) => {
      const given = new Set(own.map((row) => row.scope))
      const scopes = CLIENT_SCOPES.filter((scope) => given.has(scope))
      return [clientId, { scopes, consentedAt: Number(own[0].updated_at) }]
    })
  )
}

/** Returns the services of each consent by client id. */
export async function findConsentedServices(userId: string): Promise<Map<string, string[]>> {
  const rows = await selectAccess({ user_id: userId })
    .clearSelect()
    .where('access.resource', '<>', '')
    .distinct('consent.client_id', 'access.resource')
  const byClient = Map.groupBy(rows, (row) => row.client_id as string)
  return new Map([...byClient].map(([id, own]) => [id, own.map((row) => row.resource as string)]))
}

export async function usersWithConsent(clientId: string, limit: number): Promise<string[]> {
  const rows = await db.from('oauth_consents').where('client_id', clientId).limit(limit)
  return rows.map((row) => row.user_id)
}

export async function deleteConsent(consent: Consent, trx: Transaction) {
  return Number(await trx.from('oauth_consents').where(keyOf(consent)).delete())
}

export async function isConsentedByAnyone(clientId: string, trx?: Transaction) {
  const client = trx ?? db
  return Boolean(
    await client.from('oauth_consents').where('client_id', clientId).select('id').first()
  )
}
