import User from '#models/user'
import { needsTwoFactors } from '#auth/sessions/required_factors'
import { hasTwoFactors } from '#auth/sessions/authentication'
import { groupNamesOf } from '#groups/names_of'
import store from '#auth/store/service'
import { lacksVerifiedEmail } from '#models/verified_email'
import { markHandleReceived } from '#users/handles/mark_received'
import { findLoadedUser } from '#oidc/request_reads'
import { claimsOf, leavesClaimsToUserinfo } from './claims.ts'
import { CLIENT_CLAIMS, clientClaims } from './client_claims.ts'
import { mayUse } from '#oidc/clients/access/may_access'
import type { Client, Context } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'

export interface Account {
  accountId: string
  user: User
  claims(use: string, scope?: string, requested?: object): Promise<Record<string, unknown>>
}

/** Returns undefined if a refresh would be refused. */
export async function findAccount(
  ctx: Context,
  id: string,
  token?: { grantId?: string }
): Promise<Account | undefined> {
  const user = await findEligibleUser(id, token?.grantId, findLoadedUser(ctx.req, id))
  if (!user || !(await mayStillUse(ctx.oidc.client, user, token))) return undefined
  const claims: Account['claims'] = async (use, scope, requested = {}) => {
    const isReduced = use === 'id_token' && leavesClaimsToUserinfo(ctx)
    const isReceived = receivesHandle(isReduced ? '' : scope, requested)
    const found = claimsOf(isReceived ? await markHandleReceived(user) : user)
    const extra = await clientClaims(ctx, user, scope?.split(' ') ?? [])
    const groups = receivesGroups(scope, requested) ? { groups: await groupNamesOf(user) } : {}
    const claimed = isReduced ? only(found, requested) : found
    return { ...claimed, ...groups, [CLIENT_CLAIMS]: extra }
  }
  return { accountId: id, user, claims }
}

/** Without a token the user is asked (`policy.ts`). */
async function mayStillUse(client: Client, user: User, token?: { grantId?: string }) {
  const { rule }: OwnMetadata = client.gatehouse
  return !token?.grantId || mayUse(rule, user, token.grantId)
}

function only(claims: Record<string, unknown>, requested: object) {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name in requested))
}

function receivesHandle(scope = '', requested: object = {}) {
  const isRequested = 'preferred_username' in requested || 'nickname' in requested
  return isRequested || scope.split(' ').includes('profile')
}

/** The scope puts the groups into the ID token, whatever `idTokenClaims` says. */
function receivesGroups(scope = '', requested: object = {}) {
  return 'groups' in requested || scope.split(' ').includes('groups')
}

/** @param known the user, if this request has already read it */
export async function findEligibleUser(id: string, sessionId?: string, known: User | null = null) {
  const user = known ?? (await User.find(id))
  const isBarred = !user || user.isDisabled || lacksVerifiedEmail(user.isEmailVerified)
  return !isBarred && (await hasProvedEnough(user, sessionId)) ? user : null
}

/** Other criteria must give the user or the configuration a new version (`remembered_users.ts`). */
export function dependsOnSession(user: User) {
  return !user.isService && needsTwoFactors(user)
}

/** A session from before `ADMIN_REQUIRE_MFA` may have one factor. */
async function hasProvedEnough(user: User, sessionId?: string) {
  if (!sessionId || !dependsOnSession(user)) return true
  const session = await store.findSession(user.id, sessionId, Date.now())
  return session !== null && hasTwoFactors(session)
}
