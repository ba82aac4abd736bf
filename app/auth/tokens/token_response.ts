import { accessTokenTtl } from './access_tokens.ts'
import type { Refreshed } from './refresh.ts'
import type User from '#models/user'

interface SignedIn {
  accessToken: string
  refreshToken: string
  user: User
}

/** `expiresIn` is in seconds (RFC 6749, section 5.1). */
export function loginResponse({ accessToken, refreshToken, user }: SignedIn) {
  const { id, email, username, role } = user
  return {
    accessToken,
    refreshToken,
    expiresIn: accessTokenTtl,
    tokenType: 'Bearer',
    user: { id, email, username, role },
  }
}

export function refreshResponse({ accessToken, refreshToken }: Refreshed) {
  return {
    accessToken,
    expiresIn: accessTokenTtl,
    tokenType: 'Bearer',
    ...(refreshToken && { refreshToken }),
  }
}
