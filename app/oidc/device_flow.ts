import type { DeviceCode } from 'oidc-provider'
import { acrOf } from './acr.ts'
import { giveConsent } from './consents.ts'
import { openDeviceGrant } from './open_grant.ts'
import { oidcProvider } from './provider.ts'
import { grantableScopes } from './resource_servers.ts'
import { insertOnce } from './storage/record_rows.ts'
import type { Actor } from '#audit/actor'
import type { SessionRecord } from '#auth/store/contract'

/*
 | A device that has no browser shows a code, and its owner types it here (RFC 8628). They see
 | which application waits: somebody else may have sent them the code to get into their account.
 */

/** The code as people type it, without what they read between the letters. */
function normalize(userCode: string) {
  return userCode.replaceAll(/[^a-z0-9]/gi, '').toUpperCase()
}

/** A code that still waits for its answer; null for any other. */
export async function findDeviceCode(userCode: string) {
  const code = await oidcProvider().DeviceCode.findByUserCode(normalize(userCode))
  return code && !code.isExpired && !code.accountId && !code.error ? code : null
}

export async function requestOfDevice({ clientId, params }: DeviceCode) {
  const client = await oidcProvider().Client.find(clientId)
  return {
    scopes: grantableScopes(client, params),
    resources: [params.resource ?? []].flat() as string[],
  }
}

/** True for the one answer that counts. */
function isFirstAnswer(code: DeviceCode) {
  const expiresAt = code.exp * 1_000
  return insertOnce({ kind: 'DeviceAnswer', id: code.jti }, { payload: '{}', expiresAt })
}

/** Lets the device in. False if the code was answered meanwhile. */
export async function approveDevice(code: DeviceCode, web: SessionRecord, actor: Actor) {
  const client = await oidcProvider().Client.find(code.clientId)
  if (!client || !(await isFirstAnswer(code))) return false
  const request = await requestOfDevice(code)
  const { userId, id: webSessionId, authenticatedAt, amr } = web
  const isThirdParty = client.gatehouse.kind === 'third_party'
  if (isThirdParty) await giveConsent({ userId, clientId: code.clientId }, request, actor)
  const { ip, ua: userAgent } = code.deviceInfo
  const authorization = { client, userId, webSessionId, ip, userAgent, ...request }
  const { jti } = await openDeviceGrant(oidcProvider(), authorization)
  const who = { accountId: userId, grantId: jti, sid: jti, sessionUid: webSessionId }
  const how = { acr: acrOf(web), amr, authTime: Math.floor(authenticatedAt / 1_000) }
  const [resource] = request.resources
  Object.assign(code, who, how, { scope: request.scopes.join(' '), resource })
  await code.save()
  return true
}

/** Keeps the device out. */
export async function refuseDevice(code: DeviceCode) {
  if (!(await isFirstAnswer(code))) return
  Object.assign(code, { error: 'access_denied', errorDescription: 'the person refused' })
  await code.save()
}
