import { randomUUID } from 'node:crypto'
import { freezeTime } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { generate } from 'otplib'
import sharp from 'sharp'
import type { ApiClient } from '@japa/api-client'
import { SYSTEM } from '#audit/actor'
import Identity from '#models/identity'
import store from '#auth/store/service'
import type User from '#models/user'
import { findBackupCode, replaceBackupCodes } from '#auth/mfa/backup_codes'
import { storePendingSecret } from '#auth/mfa/pending_secret'
import { newSecret } from '#auth/mfa/totp'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import { addServiceAccount } from '#users/service_accounts'
import { startSession } from '#auth/sessions/sessions'
import type { Authentication } from '#auth/sessions/authentication'
import {
  bearer,
  createAdmin,
  createUser,
  keyOf,
  PASSWORD,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { Authenticator } from '#tests/support/authenticator'
import { givePasskey } from '#tests/support/passkeys'
import { send, type Change, type Prover } from './change_requests.ts'
import { CLIENT_CHANGES } from './client_changes.ts'
import { GROUP_CHANGES, OWN_GROUP_CHANGES } from './group_changes.ts'
import { SETTINGS_CHANGES } from './settings_changes.ts'
import { giveSecondFactor } from './sign_in_methods.ts'
import { WEBHOOK_ADDRESS_CHANGES, WEBHOOK_CHANGES } from './webhook_changes.ts'

export type { Prover }

/* Sensitive changes as requests to the API, and proofs as sessions and bodies. */

const OTHER = 'An0ther-horse!'
const OLD_MS = 600_001

const someHandle = () => `h${randomUUID().slice(0, 8)}`

const exportByGet: Change = async ({ client, headers }) =>
  client.get('/auth/export').headers(headers)

const unlink: Change = async (prover) => {
  await linkIdentity(prover.user, 'hostile')
  return send('delete', '/auth/external/hostile/link')(prover)
}

const NEW_KEY = { name: 'Report', scopes: ['profile:read'] }

const revokeKeyOf: Change = async (prover) => {
  const { id } = await keyOf(prover.user)
  return send('delete', `/auth/api-keys/${id}`)(prover)
}

const removePasskeyOf: Change = async (prover) => {
  const { id } = await givePasskey(prover.user)
  return send('delete', `/auth/passkeys/${id}`)(prover)
}

const removePasskeyOfAdmin: Change = async (prover) => {
  const admin = await createAdmin()
  const { id } = await givePasskey(admin)
  return send('delete', `/users/${admin.id}/passkeys/${id}`)(prover)
}

/** Changes of the caller's own account: a name and a request each. */
export const OWN_CHANGES = {
  'setting up MFA': send('post', '/auth/mfa/setup'),
  'removing MFA': send('post', '/auth/mfa/disable'),
  'new backup codes': send('post', '/auth/mfa/backup-codes'),
  'linking a provider': send('post', '/auth/external/github/link'),
  'unlinking a provider': unlink,
  'another e-mail': (prover) => send('put', '/auth/profile', { email: someEmail() })(prover),
  'own app metadata': (prover) =>
    send('put', '/auth/profile', { appMetadata: { plan: someHandle() } })(prover),
  'another handle': (prover) => send('put', '/auth/profile', { handle: someHandle() })(prover),
  'another password': send('post', '/auth/change-password', { newPassword: OTHER }),
  'adding a passkey': send('post', '/auth/passkeys/registration-options'),
  'removing a passkey': removePasskeyOf,
  'making an API key': send('post', '/auth/api-keys', NEW_KEY),
  'revoking an API key': revokeKeyOf,
  'the export': send('post', '/auth/export'),
  'the export by GET': exportByGet,
  'the deletion': send('delete', '/auth/account'),
} satisfies Record<string, Change>

/** A change of another user, who is an administrator or becomes one. */
function onUser(role: string, change: (id: string) => Change): Change {
  return async (prover) => {
    const { id } = await createUser({ role })
    return change(id)(prover)
  }
}

const onAdmin = (change: (id: string) => Change) => onUser('Admin', change)

const changeVerification: Change = async (prover) => {
  const { id, isEmailVerified } = await createAdmin()
  return send('put', `/users/${id}`, { emailVerified: !isEmailVerified })(prover)
}

const update = (fields: object) => (id: string) => send('put', `/users/${id}`, fields)

/** Changes of administrators by an administrator, and of what acts for others. */
export const ADMIN_CHANGES = {
  'making an Admin': onUser('User', update({ role: 'Admin' })),
  'unmaking an Admin': onAdmin(update({ role: 'User' })),
  'creating an Admin': (prover) =>
    send('post', '/users', { email: someEmail(), password: PASSWORD, role: 'Admin' })(prover),
  'inviting an Admin': (prover) =>
    send('post', '/users', { email: someEmail(), invite: true, role: 'Admin' })(prover),
  'creating a verified user': (prover) =>
    send('post', '/users', { email: someEmail(), password: PASSWORD, emailVerified: true })(prover),
  'inviting a verified user': (prover) =>
    send('post', '/users', { email: someEmail(), invite: true, emailVerified: true })(prover),
  'the e-mail of an Admin': onAdmin((id) => update({ email: someEmail() })(id)),
  'the verification of an Admin': changeVerification,
  'disabling an Admin': onAdmin(update({ disabled: true })),
  'locking an Admin': onAdmin((id) => send('post', `/users/${id}/lock`)),
  'deleting an Admin': onAdmin((id) => send('delete', `/users/${id}`)),
  'removing a passkey of an Admin': removePasskeyOfAdmin,
  'resetting the MFA of an Admin': onAdmin((id) => send('post', `/users/${id}/reset-mfa`)),
  'a reset mail to an Admin': onAdmin((id) => send('post', `/users/${id}/send-password-reset`)),
  'an API key of an Admin': onAdmin((id) => send('post', `/users/${id}/api-keys`, NEW_KEY)),
  'unlocking an Admin': onAdmin((id) => send('post', `/users/${id}/unlock`)),
  'the e-mail of a user': onUser('User', (id) => update({ email: someEmail() })(id)),
  'the verification of a user': onUser('User', update({ emailVerified: false })),
  'the handle of a user': onUser('User', (id) => update({ handle: someHandle() })(id)),
  'the app metadata of a user': onUser('User', (id) =>
    update({ appMetadata: { plan: 'pro' } })(id)
  ),
  'a user with a handle': (prover) =>
    send('post', '/users', { email: someEmail(), password: PASSWORD, handle: someHandle() })(
      prover
    ),
  'a new service account': (prover) =>
    send('post', '/users', { kind: 'service', username: 'Robot' })(prover),
  'a service account with a handle': (prover) =>
    send('post', '/users', { kind: 'service', username: 'Robot', handle: someHandle() })(prover),
  'the name of a service account': async (prover) => {
    const { id } = await addServiceAccount({ username: 'Robot' }, SYSTEM)
    return update({ username: 'Robot 2' })(id)(prover)
  },
  'resetting the MFA of a user': onUser('User', (id) => send('post', `/users/${id}/reset-mfa`)),
  ...CLIENT_CHANGES,
  ...WEBHOOK_ADDRESS_CHANGES,
  ...SETTINGS_CHANGES,
  'demoting oneself': (prover) => send('put', `/users/${prover.user.id}`, { role: 'User' })(prover),
} satisfies Record<string, Change>

const confirmMfa: Change = async (prover) => {
  const { user } = prover
  const { secret } = newSecret(user.email)
  await db.transaction((trx) => storePendingSecret(user.id, secret, trx))
  freezeTime()
  return send('post', '/auth/mfa/enable', { code: await generate({ secret }) })(prover)
}

export function smallPicture() {
  const create = { width: 8, height: 8, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).png().toBuffer()
}

const picture: Change = async ({ client, headers }) => {
  const file = await smallPicture()
  return client.post('/users/avatar').headers(headers).file('file', file, { filename: 'me.png' })
}

const storePasskey: Change = async (prover) => {
  const options = await send('post', '/auth/passkeys/registration-options')(prover)
  const response = new Authenticator().create(options.body())
  const { client, headers } = prover
  return client.post('/auth/passkeys').headers(headers).json({ response })
}

const renamePasskeyOf: Change = async (prover) => {
  const { id } = await givePasskey(prover.user)
  return send('patch', `/auth/passkeys/${id}`, { name: 'Key' })(prover)
}

/** Changes that need no proof beside the session, and are nevertheless refused without it. */
export const PLAIN_CHANGES = {
  'confirming MFA': confirmMfa,
  'storing a passkey': storePasskey,
  'renaming a passkey': renamePasskeyOf,
  'own metadata': send('put', '/auth/profile', { metadata: { theme: 'dark' } }),
  'the metadata of a user': onUser('User', update({ metadata: { theme: 'dark' } })),
  'another name': send('put', '/auth/profile', { username: 'Eve' }),
  'a picture': picture,
  'the name of a user': onUser('User', update({ username: 'Eve' })),
  'the name of an Admin': onAdmin(update({ username: 'Eve' })),
  'the metadata of an Admin': onAdmin(update({ metadata: { theme: 'dark' } })),
  'a new user': (prover) =>
    send('post', '/users', { email: someEmail(), password: PASSWORD })(prover),
  'unlocking a user': onUser('User', (id) => send('post', `/users/${id}/unlock`)),
  ...GROUP_CHANGES,
  ...OWN_GROUP_CHANGES,
  ...WEBHOOK_CHANGES,
} satisfies Record<string, Change>

/** The factors of a user, how their session started, and the contents of the body. */
interface ProofCase {
  /** `password` by default. */
  has?: 'password' | 'password and MFA' | 'provider' | 'provider and MFA'
  session?: Authentication
  isOld?: boolean
  isUnlinked?: boolean
  password?: string
  code?: 'right' | 'wrong' | 'backup'
}

const BY_PASSWORD = { method: 'password', amr: ['pwd'] }
const BY_BOTH = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
const BY_PROVIDER = { method: 'acme', amr: [] }
const BY_PASSWORD_AND_PASSKEY = { method: 'password', amr: ['pwd', 'swk', 'user', 'mfa'] }
const BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'user', 'mfa'] }

const withMfa = { has: 'password and MFA' } as const
const byProvider = { has: 'provider', session: BY_PROVIDER } as const

export const PROOFS: Record<string, ProofCase> = {
  'an old session': { isOld: true },
  'a fresh session': {},
  'the password in an old session': { isOld: true, password: PASSWORD },
  'a wrong password in a fresh session': { password: OTHER },
  'a fresh session by passkey': { ...withMfa, session: BY_PASSKEY },
  'an old session by passkey': { ...withMfa, session: BY_PASSKEY, isOld: true },
  'a passkey as second step': { ...withMfa, session: BY_PASSWORD_AND_PASSKEY },
  'a fresh session with code': { ...withMfa, session: BY_BOTH },
  'a fresh session from before MFA': withMfa,
  'an old session with code': { ...withMfa, session: BY_BOTH, isOld: true },
  'the password without its code': { ...withMfa, isOld: true, password: PASSWORD },
  'the password and a wrong code': { ...withMfa, isOld: true, password: PASSWORD, code: 'wrong' },
  'a wrong password and its code': { ...withMfa, isOld: true, password: OTHER, code: 'right' },
  'the code without its password': { ...withMfa, isOld: true, code: 'right' },
  'the password and its code': { ...withMfa, isOld: true, password: PASSWORD, code: 'right' },
  'the password and a backup code': {
    ...withMfa,
    isOld: true,
    password: PASSWORD,
    code: 'backup',
  },
  'a fresh session by provider': byProvider,
  'an old session by provider': { ...byProvider, isOld: true },
  'a provider that was unlinked': { ...byProvider, isUnlinked: true },
  'a password that the user lacks': { ...byProvider, password: PASSWORD },
  'a provider without the code': { ...byProvider, has: 'provider and MFA' },
  'a provider and the code': { ...byProvider, has: 'provider and MFA', code: 'right' },
}

/** Makes a user with the factors, the session and the body of a proof. */
export async function prove(client: ApiClient, proof: ProofCase): Promise<Prover> {
  const has = proof.has ?? 'password'
  await createAdmin()
  const password = has.startsWith('provider') ? null : PASSWORD
  const user = await createAdmin({ isVerified: true, password })
  const right = has.endsWith('MFA') ? await giveSecondFactor(user) : undefined
  if (!proof.isUnlinked) await linkIdentity(user, 'acme')
  const headers = await sessionOf(user, proof)
  const backupCode = proof.code === 'backup' ? await giveBackupCode(user) : undefined
  const code = proof.code === 'wrong' ? '000000' : (backupCode ?? right)
  const body = { currentPassword: proof.password, ...(proof.code && { code }) }
  return { client, user, headers, body, backupCode }
}

async function giveBackupCode({ id }: User) {
  const [code] = await db.transaction((trx) => replaceBackupCodes(id, trx))
  return code
}

/** Uses the backup code of a proof, and returns whether it was still unused. */
export async function isCodeLeft({ user, backupCode }: Prover) {
  const use = await findBackupCode(user.id, backupCode!)
  return use !== null && use(db.connection())
}

async function sessionOf(user: User, { session = BY_PASSWORD, isOld }: ProofCase) {
  const device = { id: 'default', ip: someAddress(), userAgent: null }
  const started = await startSession(user, { device, ...session })
  const { id: sessionId, amr, authenticatedAt } = started.session
  const at = isOld ? authenticatedAt - OLD_MS : authenticatedAt
  await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at })
  return bearer(await issueAccessToken(user, sessionId))
}

function linkIdentity({ id: userId }: User, provider: string) {
  const subject = `${provider}-${userId}`
  return Identity.create({ userId, provider, issuer: 'https://idp.example', subject })
}
