import User from '#models/user'
import { appUrl } from '#config/app'
import { needsTwoFactors } from '#auth/sessions/required_factors'
import { hasTwoFactors } from '#auth/sessions/authentication'
import store from '#auth/store/service'
import { lacksVerifiedEmail } from '#models/verified_email'
import { markHandleReceived } from '#users/handles/mark_received'

export interface Account {
  accountId: string
  user: User
  claims(use: string, scope?: string, requested?: object): Promise<Record<string, unknown>>
}

/** Null if a refresh would be refused. */
export async function findAccount(
  _ctx: unknown,
  id: string,
  token?: { grantId?: string }
): Promise<Account | undefined> {
  const user = await findHolder(id, token?.grantId)
  if (!user) return undefined
  const claims: Account['claims'] = async (_use, scope, requested) =>
    claimsOf(receivesHandle(scope, requested) ? await markHandleReceived(user) : user)
  return { accountId: id, user, claims }
}

function receivesHandle(scope = '', requested: object = {}) {
  const isRequested = 'preferred_username' in requested || 'nickname' in requested
  return isRequested || scope.split(' ').includes('profile')
}

export async function findHolder(id: string, sessionId?: string) {
  const user = await User.find(id)
  const isBarred = !user || user.isDisabled || lacksVerifiedEmail(user.isEmailVerified)
  return !isBarred && (await hasProvedEnough(user, sessionId)) ? user : null
}

/** A session from before `ADMIN_REQUIRE_MFA` may have one factor. */
async function hasProvedEnough(user: User, sessionId?: string) {
  if (!sessionId || user.isService || !needsTwoFactors(user)) return true
  const session = await store.findSession(user.id, sessionId, Date.now())
  return session !== null && hasTwoFactors(session)
}

function claimsOf(user: User) {
  return {
    sub: user.id,
    email: user.mailbox,
    email_verified: user.isEmailVerified,
    name: user.nickname ?? user.username,
    nickname: user.handle,
    preferred_username: user.handle,
    picture: user.avatar ? new URL(user.avatar, appUrl).href : undefined,
    role: user.role,
    updated_at: Math.floor((user.updatedAt?.toMillis() ?? 0) / 1_000),
  }
}

/** OpenID Connect Core, section 5.4, and our role. */
export const CLAIMS = {
  openid: ['sub', 'auth_time', 'acr', 'amr', 'sid'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'role', 'updated_at'],
  email: ['email', 'email_verified'],
}
