import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { lockForChange } from '#auth/lock_for_change'
import { recordAudit } from '#audit/trail'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { endGrantsOf } from './storage/grants.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/*
 | What people allowed third-party clients. This file owns the table `oauth_consents`, which is
 | asked at each authorization; a grant of the library only carries what it says.
 */

/** What a client asks for. */
export interface Request {
  scopes: string[]
  /** Other services that accept the tokens (RFC 8707). */
  resources: string[]
}

interface Consent {
  userId: string
  clientId: string
}

const keyOf = ({ userId, clientId }: Consent) => ({ user_id: userId, client_id: clientId })

/** Whether the person has allowed all of it before. */
export async function isConsented(consent: Consent, { scopes, resources }: Request) {
  const row = await db.from('oauth_consents').where(keyOf(consent)).first()
  if (!row) return false
  const given = toRequest(row)
  return scopes.every((scope) => given.scopes.includes(scope)) && includesAll(given, resources)
}

function includesAll(given: Request, resources: string[]) {
  return resources.every((resource) => given.resources.includes(resource))
}

function toRequest(row: any): Request {
  return { scopes: JSON.parse(row.scopes), resources: JSON.parse(row.resources) }
}

/** Notes what the person allowed, beside what they allowed before. */
export async function giveConsent(consent: Consent, { scopes, resources }: Request, actor: Actor) {
  await db.transaction(async (trx) => {
    await lockForChange(consent.userId, actor, trx)
    const before = await insertOrLock(consent, trx)
    const given = {
      scopes: JSON.stringify(union(before.scopes, scopes)),
      resources: JSON.stringify(union(before.resources, resources)),
      updated_at: Date.now(),
    }
    await trx.from('oauth_consents').where(keyOf(consent)).update(given)
    const details = { clientId: consent.clientId, scopes, resources }
    const entry = { action: 'application.consented', actor, details } as const
    await recordAudit({ ...entry, targetId: consent.userId }, trx)
  })
}

/** Two tabs may consent at once: the row exists before it is locked and read. */
async function insertOrLock(consent: Consent, trx: Transaction): Promise<Request> {
  const now = Date.now()
  const empty = { scopes: '[]', resources: '[]', created_at: now, updated_at: now }
  const row = { id: uuidv7(), ...keyOf(consent), ...empty }
  await trx
    .knexQuery()
    .insert(row)
    .into('oauth_consents')
    .onConflict(['user_id', 'client_id'])
    .ignore()
  return toRequest(await trx.from('oauth_consents').where(keyOf(consent)).forUpdate().first())
}

function union(given: string[], more: string[]) {
  return [...new Set([...given, ...more])]
}

/** Forgets what anybody allowed a client that is no more. */
export async function deleteConsentsOf(clientId: string, trx: Transaction) {
  return Number(await trx.from('oauth_consents').where('client_id', clientId).delete())
}

/** Withdraws a consent and ends the sessions with the client; their number. @throws E_NOT_FOUND */
export async function withdrawConsent(consent: Consent, actor: Actor) {
  return db.transaction(async (trx) => {
    await lockForChange(consent.userId, actor, trx)
    const deleted = Number(await trx.from('oauth_consents').where(keyOf(consent)).delete())
    const endedSessions = await endGrantsOf(consent.userId, consent.clientId, trx)
    if (deleted === 0 && endedSessions === 0) throw new E_NOT_FOUND()
    const details = { clientId: consent.clientId, endedSessions }
    const entry = { action: 'application.withdrawn', actor, details } as const
    await recordAudit({ ...entry, targetId: consent.userId }, trx)
    return endedSessions
  })
}
