import { profileBy, tokenOf } from './stored_credentials.ts'
import { outcomeOf, register, signIn, type Credentials } from './stored_users.ts'
import { STORED_SETTINGS } from './stored_counterparts.ts'
import { IN_REDIS, LOST_COMMIT, NO_SESSIONS } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

const SIGNED = 'An entry signed it that was dropped, which the command asks about'

const refreshToken: StoredKind = {
  kept: '200',
  emptied: { outcome: '401 E_INVALID_REFRESH_TOKEN', because: IN_REDIS },
  dropped: { outcome: '401 E_INVALID_REFRESH_TOKEN', because: SIGNED },
  imported: { outcome: '401 E_INVALID_REFRESH_TOKEN', because: NO_SESSIONS },
  restored: { outcome: '401 E_INVALID_REFRESH_TOKEN', because: NO_SESSIONS },
  async make(at) {
    const { body } = await signIn(at, await register(at))
    const sent = { refreshToken: body.refreshToken }
    return async ({ product }) => outcomeOf(await product.request('/auth/refresh', { body: sent }))
  },
}

const accessToken: StoredKind = {
  kept: '200',
  emptied: { outcome: '401 E_TOKEN_REVOKED', because: IN_REDIS },
  dropped: { outcome: '401 E_UNAUTHORIZED', because: SIGNED },
  imported: { outcome: '401 E_UNAUTHORIZED', because: NO_SESSIONS },
  restored: { outcome: '401 E_UNAUTHORIZED', because: NO_SESSIONS },
  async make(at) {
    const token = await tokenOf(at, await register(at))
    return (elsewhere) => profileBy(elsewhere, token)
  },
}

const signedOut: StoredKind = {
  kept: '401 E_INVALID_REFRESH_TOKEN',
  resumed: { outcome: '200', because: LOST_COMMIT },
  async make(at) {
    const { body } = await signIn(at, await register(at))
    const { accessToken: token, refreshToken: given } = body
    const sent = { refreshToken: given }
    return {
      revoke: () => at.product.request('/auth/logout', { body: {}, token }),
      prove: async ({ product }) =>
        outcomeOf(await product.request('/auth/refresh', { body: sent })),
    }
  },
}

const FAILURES = Number(STORED_SETTINGS.LOCKOUT_THRESHOLD)

/**
 * Guesses by strangers lock the user: only a device that has signed in before is let in. Each
 * sign-in renews its token, so that the proof still works after a later drop of an entry.
 */
async function fromDevice(at: Installation, user: Credentials & { id: string }, token?: string) {
  const wrong = { ...user, password: 'Wrong-h0rse!' }
  for (let count = 0; token && count < FAILURES; count++) await signIn(at, wrong)
  const headers = { 'x-device-id': 'laptop', ...(token && { 'x-device-token': token }) }
  const answer = await at.product.request('/auth/login', { body: user, headers })
  if (token) await at.asAdmin(`/users/${user.id}/unlock`, { method: 'POST' })
  return { outcome: outcomeOf(answer), token: answer.response.headers.get('x-device-token') }
}

const knownDevice: StoredKind = {
  kept: '200',
  imported: { outcome: '403 E_ACCOUNT_LOCKED', because: NO_SESSIONS },
  restored: { outcome: '403 E_ACCOUNT_LOCKED', because: NO_SESSIONS },
  async make(at) {
    const user = await register(at)
    let { token } = await fromDevice(at, user)
    return async (elsewhere) => {
      const { outcome, token: renewed } = await fromDevice(elsewhere, user, token!)
      token = renewed ?? token
      return outcome
    }
  },
}

export const SESSIONS: Record<string, StoredKind> = {
  'refresh token': refreshToken,
  'access token': accessToken,
  'refresh token that was signed out': signedOut,
  'known device': knownDevice,
}
