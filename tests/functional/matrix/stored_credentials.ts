import { generate } from 'otplib'
import { Authenticator } from '#tests/support/authenticator'
import { outcomeOf, register, signIn, type Credentials } from './stored_users.ts'
import { LOST_COMMIT } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

const NOT_EXPORTED = 'An export has no multi-factor secrets: users enrol again'
const NO_KEYS = 'API keys belong to an installation: an export would hand on access to it'

/**
 * An authenticator app. Each code is of a later step than the previous one, so that no code is used
 * twice. The first is one step old: a code that is sent as its step ends is still valid.
 */
class CodeApp {
  #step = 0

  constructor(readonly secret: string) {}

  next() {
    const earliest = Math.floor(Date.now() / 30_000) - 1
    this.#step = Math.max(this.#step + 1, earliest)
    return generate({ secret: this.secret, epoch: this.#step * 30 })
  }
}

export async function tokenOf(at: Installation, user: Credentials) {
  const { body } = await signIn(at, user)
  return body.accessToken as string
}

/** Makes a user with a second factor. */
export async function enrolled(at: Installation) {
  const user = await register(at)
  const token = await tokenOf(at, user)
  const setup = await at.product.request('/auth/mfa/setup', { body: {}, token })
  const app = new CodeApp(setup.body.secret)
  const body = { code: await app.next() }
  const { body: enabled } = await at.product.request('/auth/mfa/enable', { body, token })
  return { user, app, backupCodes: enabled.backupCodes as string[] }
}

/** Signs in with the code that `next` returns in the second step, and returns the outcome. */
async function secondStep(
  { product }: Installation,
  user: Credentials,
  next: () => string | Promise<string>
) {
  const first = await product.request('/auth/login', { body: user })
  if (first.status === 200) return '200 without a second factor'
  const body = { mfaToken: first.body.mfaToken, code: await next() }
  return outcomeOf(await product.request('/auth/mfa/verify', { body }))
}

/** Uses two users in turn: several proofs within a minute need more codes than one user has. */
const oneTimeCodes: StoredKind = {
  kept: '200',
  imported: { outcome: '200 without a second factor', because: NOT_EXPORTED },
  async make(at) {
    const users = [await enrolled(at), await enrolled(at)]
    return async (elsewhere) => {
      users.reverse()
      const [{ user, app }] = users
      return secondStep(elsewhere, user, () => app.next())
    }
  },
}

const backupCodes: StoredKind = {
  kept: '200',
  imported: { outcome: '200 without a second factor', because: NOT_EXPORTED },
  async make(at) {
    const { user, backupCodes: codes } = await enrolled(at)
    return (elsewhere) => secondStep(elsewhere, user, () => codes.pop()!)
  },
}

const usedBackupCode: StoredKind = {
  kept: '401 E_INVALID_CODE',
  unrevoked: { outcome: '200', because: LOST_COMMIT },
  imported: { outcome: '200 without a second factor', because: NOT_EXPORTED },
  async make(at) {
    const { user, backupCodes: codes } = await enrolled(at)
    return {
      revoke: () => secondStep(at, user, () => codes[0]),
      prove: (elsewhere) => secondStep(elsewhere, user, () => codes[0]),
    }
  },
}

/** Makes a user with a passkey, and returns the id of the passkey. */
async function withPasskey(at: Installation) {
  const user = await register(at)
  const token = await tokenOf(at, user)
  const [authenticator, path] = [new Authenticator(), '/auth/passkeys']
  const asked = await at.product.request(`${path}/registration-options`, { body: {}, token })
  const body = { response: authenticator.create(asked.body) }
  const added = await at.product.request(path, { body, token })
  return { user, token, authenticator, passkeyId: added.body.id as string }
}

async function byPasskey({ product }: Installation, authenticator: Authenticator) {
  const options = await product.request('/auth/passkeys/login-options', { body: {} })
  const body = { response: authenticator.get(options.body) }
  return outcomeOf(await product.request('/auth/passkeys/login', { body }))
}

const passkey: StoredKind = {
  kept: '200',
  async make(at) {
    const { authenticator } = await withPasskey(at)
    return (elsewhere) => byPasskey(elsewhere, authenticator)
  },
}

const removedPasskey: StoredKind = {
  kept: '401 E_PASSKEY_INVALID',
  unrevoked: { outcome: '200', because: LOST_COMMIT },
  async make(at) {
    const { authenticator, passkeyId, token } = await withPasskey(at)
    const path = `/auth/passkeys/${passkeyId}`
    return {
      revoke: () => at.product.request(path, { method: 'DELETE', body: {}, token }),
      prove: (elsewhere) => byPasskey(elsewhere, authenticator),
    }
  },
}

/** Makes an API key of a user, as an administrator does. */
async function keyOf(at: Installation, userId: string, scopes: string[]) {
  const body = { name: 'Report', scopes }
  return (await at.asAdmin(`/users/${userId}/api-keys`, { body })) as { id: string; key: string }
}

/** Returns the role that a new key of a service account finds in the account's record. */
async function roleByKey(at: Installation, userId: string) {
  const { key } = await keyOf(at, userId, ['profile:read'])
  const { body } = await at.product.request('/auth/profile', { token: key })
  return body.role as string
}

const importedAgain: StoredKind = {
  kept: 'User, User',
  async make(at) {
    const body = { kind: 'service', username: 'returning', role: 'Admin' }
    const { id } = await at.asAdmin('/users', { body })
    await roleByKey(at, id)
    const format = '--format=ndjson'
    const { stdout } = await at.command(['user:export', format, '--with-hashes', '--yes'])
    await at.asAdmin(`/users/${id}`, { method: 'DELETE' })
    const line = stdout.split('\n').find((each) => each.includes(id))!
    const stdin = JSON.stringify({ ...JSON.parse(line), role: 'User' })
    await at.command(['user:import', '-', format], stdin)
    const before = await roleByKey(at, id)
    return async (elsewhere) => `${before}, ${await roleByKey(elsewhere, id)}`
  },
}

export async function profileBy({ product }: Installation, token: string) {
  return outcomeOf(await product.request('/auth/profile', { token }))
}

const apiKey: StoredKind = {
  kept: '200',
  imported: { outcome: '401 E_UNAUTHORIZED', because: NO_KEYS },
  async make(at) {
    const { id } = await register(at)
    const { key } = await keyOf(at, id, ['profile:read'])
    return (elsewhere) => profileBy(elsewhere, key)
  },
}

const serviceKey: StoredKind = {
  kept: '200',
  imported: { outcome: '401 E_UNAUTHORIZED', because: NO_KEYS },
  async make(at) {
    const body = { kind: 'service', username: 'billing' }
    const { id } = await at.asAdmin('/users', { body })
    const { key } = await keyOf(at, id, ['profile:read'])
    return (elsewhere) => profileBy(elsewhere, key)
  },
}

const revokedKey: StoredKind = {
  kept: '401 E_UNAUTHORIZED',
  unrevoked: { outcome: '200', because: LOST_COMMIT },
  async make(at) {
    const { id } = await register(at)
    const { id: keyId, key } = await keyOf(at, id, ['profile:read'])
    const path = `/users/${id}/api-keys/${keyId}`
    return {
      revoke: () => at.asAdmin(path, { method: 'DELETE', body: {} }),
      prove: (elsewhere) => profileBy(elsewhere, key),
    }
  },
}

export const CREDENTIALS: Record<string, StoredKind> = {
  'secret of one-time codes': oneTimeCodes,
  'backup codes': backupCodes,
  'used backup code': usedBackupCode,
  'passkey': passkey,
  'removed passkey': removedPasskey,
  'API key': apiKey,
  'API key of a service account': serviceKey,
  'revoked API key': revokedKey,
  'service account deleted, then imported again with the same id': importedAgain,
}
