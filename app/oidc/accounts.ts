import User from '#models/user'
import { appUrl } from '#config/app'
import { lacksVerifiedEmail } from '#auth/verified_email'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { identityKey } from './library_key.ts'

/** A person as the library knows them (`findAccount`). */
export interface Account {
  accountId: string
  user: User
  claims(): Record<string, unknown>
}

/**
 * The person whom a session, a code or a token names. Nobody who could get no token by a
 * refresh gets one here: a disabled user, or one whose address has to be verified first.
 */
export async function findAccount(_ctx: unknown, id: string): Promise<Account | undefined> {
  const user = await findHolder(id)
  if (!user) return undefined
  identityKey.kid = await signingKid('identity')
  return { accountId: id, user, claims: () => claimsOf(user) }
}

/** The user for whom a client may hold tokens. */
export async function findHolder(id: string) {
  const user = await User.find(id)
  const isBarred = !user || user.isDisabled || lacksVerifiedEmail(user.isEmailVerified)
  return isBarred ? null : user
}

/** All claims of all scopes; the library picks those that were granted. */
function claimsOf(user: User) {
  return {
    sub: user.id,
    email: user.mailbox,
    email_verified: user.isEmailVerified,
    name: user.nickname ?? user.username,
    nickname: user.nickname ?? undefined,
    preferred_username: user.username,
    picture: user.avatar ? new URL(user.avatar, appUrl).href : undefined,
    role: user.role,
    updated_at: Math.floor((user.updatedAt?.toMillis() ?? 0) / 1_000),
  }
}

/** The claims of each scope (OpenID Connect Core, section 5.4), and our role. */
export const CLAIMS = {
  openid: ['sub', 'auth_time', 'acr', 'amr', 'sid'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'role', 'updated_at'],
  email: ['email', 'email_verified'],
}
