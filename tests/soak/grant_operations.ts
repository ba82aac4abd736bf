import * as oidc from 'openid-client'
import { errorOf } from '#tests/process/application'
import type { Random } from './random.ts'
import type { Wire } from './wire.ts'
import type { ApplicationRecord, Applications, EndedGrant, Grant } from './applications.ts'

/* Operations of applications and users after a sign-in. They throw what is wrong with an answer. */

export interface Scene {
  random: Random
  wire: Wire
  applications: Applications
  record: ApplicationRecord
}

/** The acknowledged effect of the operation on the grant. */
type Outcome = 'ended' | void

const LOGOUT = /^\/oauth\/logout\/confirm$/

async function askUserinfo({ app, accessToken, user }: Grant) {
  return errorOf(oidc.fetchUserInfo(app.config, accessToken, user.id))
}

/** Returns null for a public client, which may not ask, and without an answer. */
async function askIntrospection({ app, accessToken }: Grant) {
  if (!app.clientSecret) return null
  const answer = oidc.tokenIntrospection(app.config, accessToken)
  return answer.then(({ active }) => active).catch(() => null)
}

async function use(_: Scene, grant: Grant) {
  const info = await askUserinfo(grant)
  const isActive = await askIntrospection(grant)
  if (info !== 'good') throw new Error(`userinfo answers a live token ${info}`)
  if (isActive === false) throw new Error('introspection calls a live token inactive')
}

/** Returns the ways in which tokens are still accepted after an acknowledged end or revocation. */
export async function findAccess(grant: EndedGrant, isEnded: boolean) {
  const info = await askUserinfo(grant)
  const isActive = await askIntrospection(grant)
  const refreshed = isEnded
    ? await errorOf(oidc.refreshTokenGrant(grant.app.config, grant.refreshToken))
    : null
  const found = {
    userinfo: info === 'good',
    introspection: isActive,
    refresh: refreshed === 'good',
  }
  return Object.entries(found)
    .filter(([, isAccepted]) => isAccepted)
    .map(([name]) => `${name} accepts ${grant.sessionId} after ${grant.endedBy}`)
}

async function refresh(_: Scene, grant: Grant) {
  replaceTokens(grant, await oidc.refreshTokenGrant(grant.app.config, grant.refreshToken))
}

/** Checks that two concurrent requests get the same successor. */
async function refreshTwice({ record }: Scene, grant: Grant) {
  const requests = [1, 2].map(() => oidc.refreshTokenGrant(grant.app.config, grant.refreshToken))
  const answers = await Promise.allSettled(requests)
  const good = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const successors = new Set(good.map(({ refresh_token: token }) => token))
  if (successors.size > 1) record.violations.push('a refresh token was redeemed twice')
  if (good.length < 2) throw (answers.find(({ status }) => status === 'rejected') as any).reason
  replaceTokens(grant, good[1])
}

function replaceTokens(grant: Grant, tokens: oidc.TokenEndpointResponse) {
  const { refresh_token: successor = grant.refreshToken } = tokens
  if (successor !== grant.refreshToken) grant.replaced.push(grant.refreshToken)
  Object.assign(grant, { accessToken: tokens.access_token, refreshToken: successor })
}

/** Sends a refresh token again after its successor was used: it is refused and ends the session. */
async function replay({ record }: Scene, grant: Grant): Promise<Outcome> {
  const [copy, successor] = grant.replaced
  if (!successor) return
  const answer = await errorOf(oidc.refreshTokenGrant(grant.app.config, copy))
  if (answer === 'good') record.violations.push('a copied refresh token was redeemed')
  if (answer !== 'invalid_grant') throw new Error(`a copied refresh token got ${answer}`)
  return 'ended'
}

async function revokeAccess({ record }: Scene, grant: Grant) {
  await oidc.tokenRevocation(grant.app.config, grant.accessToken)
  record.revoked.push({ ...grant, endedBy: 'revokeAccess' })
  replaceTokens(grant, await oidc.refreshTokenGrant(grant.app.config, grant.refreshToken))
}

async function revokeRefresh(_: Scene, grant: Grant): Promise<Outcome> {
  await oidc.tokenRevocation(grant.app.config, grant.refreshToken)
  return 'ended'
}

async function logout({ record, applications }: Scene, grant: Grant): Promise<Outcome> {
  const { app, browser, idToken, sessionId } = grant
  if (!browser) return
  const url = oidc.buildEndSessionUrl(app.config, { id_token_hint: idToken })
  const page = await browser.open(url)
  const { response } = await browser.submit(page, LOGOUT)
  if (!response.ok) throw new Error(`the logout answers ${response.status}`)
  if (app === applications.confidential) record.awaited.push(sessionId)
  return 'ended'
}

async function endSession(scene: Scene, { app, user, sessionId }: Grant): Promise<Outcome> {
  const { wire, random, record, applications } = scene
  const options = { method: 'DELETE', token: user.token }
  const { status } = await wire.request(random, `/auth/sessions/${sessionId}`, options)
  if (status !== 200) throw new Error(`the end of a session is answered ${status}`)
  if (app === applications.confidential) record.awaited.push(sessionId)
  return 'ended'
}

export const OPERATIONS = {
  use,
  refresh,
  refreshTwice,
  replay,
  revokeAccess,
  revokeRefresh,
  logout,
  endSession,
}
