import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import type { DeviceCode, Grant } from 'oidc-provider'
import { lockForChange } from '#auth/lock_for_change'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { authTimeOf } from '#auth/sessions/authentication'
import { acrOf, reportedAcr } from '#oidc/tokens/acr'
import { NO_ACCESS } from '#oidc/clients/access/may_access'
import { recordNoAccess } from '#oidc/clients/access/record_no_access'
import { addConsent } from '#oidc/consents/consents'
import { accessOf, type AuthorizedAccess } from '#oidc/consents/requested_access'
import { openDeviceGrant } from '#oidc/grants/new_grant'
import { oidcProvider } from '#oidc/provider/provider'
import { saveDeviceCode } from '#oidc/records/payloads'
import { insertOnce } from '#oidc/records/record_rows'
import type { Actor } from '#audit/actor'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/* Users see the waiting application: an attacker may have sent them the code (RFC 8628). */

function normalize(userCode: string) {
  return userCode.replaceAll(/[^a-z0-9]/gi, '').toUpperCase()
}

export function formatUserCode(userCode: string) {
  return normalize(userCode).replace(/^(.{4})(.{4})$/, '$1-$2')
}

/** Returns null for an answered or expired code. */
export async function findDeviceCode(userCode: string) {
  const code = await oidcProvider().DeviceCode.findByUserCode(normalize(userCode))
  return code && !code.isExpired && !code.accountId && !code.error ? code : null
}

export async function requestOfDevice({ clientId, params }: DeviceCode) {
  const client = await oidcProvider().Client.find(clientId)
  return accessOf(client, params)
}

function isFirstAnswer(code: DeviceCode, trx: Transaction) {
  const expiresAt = code.exp * 1_000
  return insertOnce({ kind: 'DeviceAnswer', id: code.jti }, { payload: '{}', expiresAt }, trx)
}

/** Uses one transaction: a crash leaves no useless consent. Returns false for a second answer. */
export async function approveDevice(code: DeviceCode, web: SessionRecord, actor: Actor) {
  const client = await oidcProvider().Client.find(code.clientId)
  if (!client) return false
  await throttleProfileChange(web.userId)
  const access = await requestOfDevice(code)
  const { userId, id: webSessionId } = web
  const { ip, ua } = code.deviceInfo
  const source = { ip, userAgent: ua?.slice(0, limits.userAgent) ?? null }
  const authorization = { client, userId, webSessionId, ...source, ...access }
  const consent = { userId, clientId: client.clientId }
  return db.transaction(async (trx) => {
    await lockForChange(userId, actor, trx)
    if (!(await isFirstAnswer(code, trx))) return false
    const isThirdParty = client.gatehouse.kind === 'third_party'
    if (isThirdParty) await addConsent(consent, access, { actor, trx })
    const grant = await openDeviceGrant(oidcProvider(), { authorization, web }, trx)
    Object.assign(code, answerOf(web, grant, access), claimsOf(code, web))
    await saveDeviceCode(code, trx)
    return true
  })
}

function answerOf(web: SessionRecord, { jti }: Grant, { scopes, resources }: AuthorizedAccess) {
  const { userId: accountId, id: sessionUid, amr } = web
  const who = { accountId, grantId: jti, sid: jti, sessionUid }
  const how = { amr, authTime: authTimeOf(web) }
  return { ...who, ...how, scope: scopes.join(' '), resource: resources[0] }
}

function claimsOf({ params }: DeviceCode, web: SessionRecord) {
  const claims = params.claims && JSON.parse(params.claims)
  return { acr: reportedAcr(params, acrOf(web)), claims }
}

/** Refuses the code, so that the device need not wait for it to expire. */
export async function refuseWithoutAccess(code: DeviceCode, actor: Actor) {
  const client = await oidcProvider().Client.find(code.clientId)
  if (client) await recordNoAccess(client, actor)
  await refuseDevice(code, NO_ACCESS)
}

export function refuseDevice(code: DeviceCode, errorDescription = 'the user refused') {
  return db.transaction(async (trx) => {
    if (!(await isFirstAnswer(code, trx))) return
    Object.assign(code, { error: 'access_denied', errorDescription })
    await saveDeviceCode(code, trx)
  })
}
