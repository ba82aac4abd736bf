import { randomUUID } from 'node:crypto'
import { generate } from 'otplib'
import * as oidc from 'openid-client'
import sharp from 'sharp'
import { timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import consoleSettings from '#config/web_session'
import limits from '#config/limits'
import mfa from '#config/mfa'
import tokens from '#config/tokens'
import Identity from '#models/identity'
import type User from '#models/user'
import { SYSTEM, userActor } from '#audit/actor'
import type { AuditedType } from '#events/event_types'
import { pauseOutbound, resumeOutbound } from '#backup/outbound_pause'
import { webCookie } from '#auth/sessions/web_session'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { pruneExpired } from '#maintenance/prune_expired'
import { createKey } from '#auth/api_keys/create_key'
import { revokeKey as revokeApiKey } from '#auth/api_keys/revoke_keys'
import { listDevices } from '#auth/devices/list_devices'
import { forgetDeviceAs } from '#auth/devices/forget_device'
import { removePasskey, renamePasskey } from '#auth/passkeys/manage_passkeys'
import { reauthenticate } from '#auth/mfa/reauthentication'
import { resetMfa } from '#users/reset_mfa'
import { startSession } from '#auth/sessions/sessions'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { giveConsent } from '#oidc/consents/consents'
import { revokeConsent } from '#oidc/grants/end_grants'
import { applyConfiguration } from '#configuration/apply/apply'
import { createClient, deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { readMailFile } from '#mails/log/mail_file'
import { retryMail } from '#mails/queue/retry_mail'
import { sendTestMail } from '#mails/queue/test_mail'
import type { TemplateName } from '#mails/templates/contents'
import { addUser } from '#users/add_user'
import { changeAvatar, removeAvatar } from '#users/avatars/avatar'
import { deleteUser } from '#users/delete_user'
import { linkIdentity } from '#users/identities'
import { unlinkProvider } from '#users/unlink_identity'
import { lockUser, unlockUser } from '#users/lock_user'
import { importUsers } from '#users/transfer/import'
import { changeRole } from '#users/change_role'
import { disableUser, enableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import {
  createUser,
  knownDevice,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { configurationFile } from '#tests/support/configuration'
import { Authenticator } from '#tests/support/authenticator'
import { changeSettings } from '#settings/change_settings'
import { forgetSettings } from '#tests/support/settings'
import { mailedToken, queuePasswordChangedMail } from '#tests/support/mail'
import { givePasskey, passkeyLogin } from '#tests/support/passkeys'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import { GROUP_EVENTS } from './group_events.ts'
import { giveSecondFactor } from './sign_in_methods.ts'
import { WEBHOOK_EVENTS } from './webhook_events.ts'
import type { ApiClient, ApiRequest } from '@japa/api-client'

const HOUR_MS = 3_600_000
const RENEWED = 'Another-h0rse!'
const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }
const FROM = { ip: '203.0.113.9', userAgent: null }

/** The scene of a cause: a verified user with a password, and an administrator. */
export interface Scene {
  client: ApiClient
  user: User
  admin: User
}

export interface EventRow {
  /** Causes the event. Resolves with the user of the event, unless it is the user of the scene. */
  cause: (scene: Scene) => Promise<User | void>
  actor: 'user' | 'anonymous' | 'administrator'
  /** Whether the event is about a user. */
  target: 'user' | 'nobody'
  outcome: 'success' | 'failure'
  /** All mails to the user's previous address, including mails sent on the way to the event. */
  mails: readonly TemplateName[]
}

const byAdmin = ({ admin }: Scene) => ({
  ...userActor(admin.id, FROM),
  hasRecentAuthentication: true,
})
const byUser = ({ user }: Scene) => ({ ...userActor(user.id, FROM), hasRecentAuthentication: true })

/** Sends a request with the session of the user, from an address of its own. */
async function send(scene: Scene, [method, path]: [Method, string], body: object = {}) {
  const { headers } = await signedIn(scene.client, scene.user, { address: FROM.ip })
  return sendWith(scene, headers, [method, path], body)
}

type Method = 'post' | 'put' | 'get'

async function sendWith(
  { client }: Scene,
  headers: object,
  [method, path]: [Method, string],
  body: object = {}
) {
  const request: ApiRequest = client[method](path)
  request.header('x-forwarded-for', someAddress())
  return request.headers(headers as Record<string, string>).unsafeJson(body)
}

const NOBODY = {}

const REGISTRATION_OPTIONS = '/auth/passkeys/registration-options'

const wrongLogin = ({ client, user }: Scene) =>
  login(client, { email: user.email, password: 'Wrong-h0rse!' })

async function challenge({ client, user }: Scene) {
  const code = await giveSecondFactor(user)
  await login(client, { email: user.email })
  return code
}

/** Returns a session of a user whose second factor is set up after it began, and its code. */
async function withFactor(scene: Scene) {
  const { headers } = await signedIn(scene.client, scene.user)
  return { headers, code: await giveSecondFactor(scene.user) }
}

async function askForAddress(scene: Scene, email = someEmail()) {
  const body = { email, currentPassword: PASSWORD }
  await send(scene, ['put', '/auth/profile'], body)
  return email
}

async function failedMail({ user }: Scene) {
  await db.transaction((trx) => queuePasswordChangedMail(user, trx))
  const { id } = await db.from('mails').where('recipient', user.email).first()
  return id as string
}

const identityOf = ({ id }: User) => ({
  provider: 'acme',
  issuer: 'https://acme.example',
  subject: id,
  email: null,
})

async function* oneRow() {
  yield { line: 1, row: { email: someEmail(), username: 'Imported' } }
}

async function exportUsers({ client, admin }: Scene) {
  const device = { id: 'default', ...FROM, client: 'web' as const }
  const { session, refreshToken } = await startSession(admin, { device, ...BY_PASSWORD })
  const cookie = `${consoleSettings.cookieName}=${webCookie(session, refreshToken)}`
  await client.get('/admin/users.csv').header('cookie', cookie)
}

async function reuseRefreshToken(scene: Scene) {
  const { isRotating } = tokens
  tokens.isRotating = true
  const { refreshToken } = await signedIn(scene.client, scene.user)
  const refresh = () => sendWith(scene, NOBODY, ['post', '/auth/refresh'], { refreshToken })
  await refresh()
  timeTravel(tokens.rotationGraceMs + 1_000)
  await refresh()
  tokens.isRotating = isRotating
}

async function reuseCode({ user }: Scene) {
  const app = await application({ kind: 'first_party' })
  const { url, checks } = await authorizationRequest(app)
  const browser = await browserOf(user)
  const answer = await browser.open(url)
  const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
  await redeem()
  timeTravel(tokens.rotationGraceMs + 1_000)
  await redeem().catch(() => {})
}

async function picture() {
  const create = { width: 4, height: 4, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).png().toBuffer()
}

const KEY = { name: 'script', scopes: ['profile:read' as const] }

const about = { target: 'user', outcome: 'success', mails: [] } as const
const own = { ...about, actor: 'user' } as const
const administered = { ...about, actor: 'administrator' } as const
const strange = { ...about, actor: 'anonymous', outcome: 'failure' } as const
const aboutNobody = { ...administered, target: 'nobody' } as const

/** Actions that only a command causes, and the test that covers the event. */
export const BY_COMMAND = {
  'secrets.rotated': 'tests/process/commands.spec.ts',
  'backup.created': 'tests/process/backup.spec.ts',
  'webhook.disabled': 'tests/functional/webhooks/failures.spec.ts',
  'backup.restored': 'tests/process/restore.spec.ts',
} as const

type CausedAction = Exclude<AuditedType, keyof typeof BY_COMMAND>

const IDENTITY = { scopes: ['openid'], resources: [] }

/** Returns what the user of the scene can consent to. */
async function consentOf({ user }: Scene) {
  const { client } = await createClient(GRAFANA, SYSTEM)
  return { userId: user.id, clientId: client.clientId }
}

export const EVENTS: Record<CausedAction, EventRow> = {
  'account.registered': {
    ...own,
    mails: ['email_verification'],
    cause: async (scene) => {
      const user = { email: someEmail(), username: 'Eve', password: PASSWORD }
      const response = await sendWith(scene, NOBODY, ['post', '/auth/register'], user)
      return response.body()
    },
  },
  'account.created': {
    ...administered,
    cause: (scene) =>
      addUser({ email: someEmail(), username: 'Eve', password: PASSWORD }, byAdmin(scene)),
  },
  'account.invited': {
    ...administered,
    mails: ['invitation'],
    cause: (scene) => addUser({ email: someEmail(), username: 'Eve' }, byAdmin(scene)),
  },
  'account.updated': {
    ...administered,
    cause: (scene) => updateUser(scene.user.id, { username: 'Eve' }, byAdmin(scene)),
  },
  'account.locked': {
    ...strange,
    mails: ['account_locked'],
    cause: async (scene) => {
      for (let count = 1; count <= 5; count++) await wrongLogin(scene)
    },
  },
  'account.unlocked': {
    ...administered,
    cause: async (scene) => {
      await lockUser(scene.user.id, Date.now() + HOUR_MS, byAdmin(scene))
      await unlockUser(scene.user.id, byAdmin(scene))
    },
  },
  'account.disabled': {
    ...administered,
    cause: (scene) => disableUser(scene.user.id, {}, byAdmin(scene)),
  },
  'account.enabled': {
    ...administered,
    cause: async (scene) => {
      await disableUser(scene.user.id, {}, byAdmin(scene))
      await enableUser(scene.user.id, byAdmin(scene))
    },
  },
  'account.deleted': {
    ...administered,
    mails: ['account_deleted'],
    cause: async (scene) => {
      await deleteUser(scene.user.id, byAdmin(scene))
    },
  },
  'account.exported': {
    ...own,
    cause: async (scene) => {
      await send(scene, ['get', '/auth/export'])
    },
  },
  'accounts.exported': { ...aboutNobody, cause: exportUsers },
  'accounts.imported': {
    ...aboutNobody,
    cause: async (scene) => {
      const ignore = () => {}
      const rows = { onRefused: ignore, onSkipped: ignore, onRenamed: ignore }
      const callbacks = { ...rows, onProgress: ignore }
      const options = { from: 'gatehouse', dryRun: false, actor: byAdmin(scene) }
      await importUsers(oneRow(), { ...options, ...callbacks })
    },
  },
  'backup.resumed': {
    ...aboutNobody,
    cause: async (scene) => {
      await db.transaction((trx) => pauseOutbound(trx, { reason: 'A backup was restored.' }))
      await resumeOutbound(byAdmin(scene))
    },
  },
  'signing_key.published': {
    ...aboutNobody,
    cause: async (scene) => {
      await rotateKeys(byAdmin(scene))
    },
  },
  'signing_key.started': {
    ...aboutNobody,
    cause: async (scene) => {
      await rotateKeys(byAdmin(scene))
      await rotateKeys(byAdmin(scene))
      await rotateKeys(byAdmin(scene), { isImmediate: true })
    },
  },
  'signing_key.revoked': {
    ...aboutNobody,
    cause: async (scene) => {
      await rotateKeys(byAdmin(scene))
      const { kid } = await db.from('signing_keys').first()
      await revokeKey(kid, byAdmin(scene))
    },
  },
  'role.changed': {
    ...administered,
    cause: (scene) => changeRole(scene.user.id, 'Admin', byAdmin(scene)),
  },
  'login.succeeded': {
    ...own,
    cause: async ({ client, user }) => {
      await signedIn(client, user)
    },
  },
  'login.failed': {
    ...strange,
    cause: async (scene) => {
      await wrongLogin(scene)
    },
  },
  'login.challenged': {
    ...strange,
    outcome: 'success',
    cause: async (scene) => {
      await challenge(scene)
    },
  },
  'login.abandoned': {
    ...strange,
    mails: ['sign_in_abandoned'],
    cause: async (scene) => {
      await challenge(scene)
      await pruneExpired(Date.now() + mfa.challengeTtlMs)
    },
  },
  'login.refused': {
    ...strange,
    cause: async (scene) => {
      await disableUser(scene.user.id, {}, byAdmin(scene))
      await login(scene.client, { email: scene.user.email })
    },
  },
  'access.denied': {
    ...own,
    target: 'nobody',
    outcome: 'failure',
    cause: async (scene) => {
      await send(scene, ['get', '/users'])
    },
  },
  'session.ended': {
    ...own,
    cause: async (scene) => {
      const { headers, sessionId } = await signedIn(scene.client, scene.user)
      const session = { ...headers, 'x-session-id': sessionId }
      await sendWith(scene, session, ['post', '/auth/logout'])
    },
  },
  'session.denied': {
    ...own,
    mails: ['new_device', 'password_reset'],
    cause: async (scene) => {
      const { client, user } = scene
      for (const deviceId of ['laptop', 'stranger']) await signedIn(client, user, { deviceId })
      const token = await mailedToken(user.email, 'new_device')
      const request = client.post('/not-me').header('x-forwarded-for', FROM.ip)
      await request.form({ token })
    },
  },
  'sessions.ended': {
    ...own,
    cause: async (scene) => {
      await send(scene, ['post', '/auth/logout-all'])
    },
  },
  'token.revoked': {
    ...own,
    cause: async (scene) => {
      await send(scene, ['post', '/auth/revoke'])
    },
  },
  'code.reused': { ...strange, mails: ['refresh_reused'], cause: reuseCode },
  'refresh.reused': { ...strange, mails: ['refresh_reused'], cause: reuseRefreshToken },
  'password.changed': {
    ...own,
    mails: ['password_changed'],
    cause: async (scene) => {
      const body = { currentPassword: PASSWORD, newPassword: RENEWED }
      await send(scene, ['post', '/auth/change-password'], body)
    },
  },
  'password.incorrect': {
    ...own,
    outcome: 'failure',
    cause: async (scene) => {
      const body = { currentPassword: 'Wrong-h0rse!', newPassword: RENEWED }
      await send(scene, ['post', '/auth/change-password'], body)
    },
  },
  'password.reset_requested': {
    ...strange,
    outcome: 'success',
    mails: ['password_reset'],
    cause: async (scene) => {
      const { email } = scene.user
      await sendWith(scene, NOBODY, ['post', '/auth/forgot-password'], { email })
    },
  },
  'password.reset': {
    ...own,
    mails: ['password_reset', 'password_changed'],
    cause: async (scene) => {
      const { email } = scene.user
      await sendWith(scene, NOBODY, ['post', '/auth/forgot-password'], { email })
      const token = await mailedToken(email, 'password_reset')
      const body = { token, newPassword: RENEWED }
      await sendWith(scene, NOBODY, ['post', '/auth/reset-password'], body)
    },
  },
  'email.change_requested': {
    ...own,
    mails: ['email_change_requested'],
    cause: async (scene) => {
      await askForAddress(scene)
    },
  },
  'email.change_withdrawn': {
    ...own,
    mails: ['email_change_requested'],
    cause: async (scene) => {
      await askForAddress(scene)
      await askForAddress(scene, scene.user.email)
    },
  },
  'email.change_undone': {
    ...strange,
    outcome: 'success',
    mails: ['email_change_requested', 'password_reset'],
    cause: async (scene) => {
      await askForAddress(scene)
      const token = await mailedToken(scene.user.email, 'email_change_requested')
      const request = scene.client.post('/undo-email-change')
      await request.header('x-forwarded-for', FROM.ip).form({ token })
    },
  },
  'email.changed': {
    ...own,
    mails: ['email_change_requested', 'email_change_confirmed'],
    cause: async (scene) => {
      const token = await mailedToken(await askForAddress(scene), 'email_change')
      await sendWith(scene, NOBODY, ['post', '/auth/verify-email'], { token })
    },
  },
  'email.verified': {
    ...own,
    mails: ['email_verification'],
    cause: async (scene) => {
      const user = await createUser({ isVerified: false })
      const resend = { email: user.email }
      await sendWith(scene, NOBODY, ['post', '/auth/verify-email/resend'], resend)
      const token = await mailedToken(user.email, 'email_verification')
      await sendWith(scene, NOBODY, ['post', '/auth/verify-email'], { token })
      return user
    },
  },
  'avatar.changed': {
    ...own,
    cause: async (scene) => {
      await changeAvatar(scene.user.id, await picture(), byUser(scene))
    },
  },
  'avatar.removed': {
    ...own,
    cause: async (scene) => {
      await changeAvatar(scene.user.id, await picture(), byUser(scene))
      await removeAvatar(scene.user.id, byUser(scene))
    },
  },
  'mfa.enabled': {
    ...own,
    mails: ['mfa_enabled'],
    cause: async (scene) => {
      const { headers } = await signedIn(scene.client, scene.user)
      const proof = { currentPassword: PASSWORD }
      const setup = await sendWith(scene, headers, ['post', '/auth/mfa/setup'], proof)
      const code = await generate({ secret: setup.body().secret })
      await sendWith(scene, headers, ['post', '/auth/mfa/enable'], { code })
    },
  },
  'mfa.disabled': {
    ...own,
    mails: ['mfa_disabled'],
    cause: async (scene) => {
      const { headers, code } = await withFactor(scene)
      const proof = { currentPassword: PASSWORD, code }
      await sendWith(scene, headers, ['post', '/auth/mfa/disable'], proof)
    },
  },
  'mfa.reset': {
    ...administered,
    mails: ['mfa_disabled'],
    cause: async (scene) => {
      await giveSecondFactor(scene.user)
      await resetMfa(scene.user.id, byAdmin(scene))
    },
  },
  'mfa.suspended': {
    ...strange,
    cause: async (scene) => {
      const { email } = scene.user
      await giveSecondFactor(scene.user)
      await scene.user.merge({ mfaFailures: limits.wrongCodesInARow - 1 }).save()
      const body = { email, password: PASSWORD, code: '000000' }
      await sendWith(scene, NOBODY, ['post', '/auth/login'], body)
    },
    mails: ['mfa_suspended'],
  },
  'mfa.incorrect_code': {
    ...own,
    outcome: 'failure',
    cause: async (scene) => {
      const { headers } = await withFactor(scene)
      const proof = { currentPassword: PASSWORD, code: '000000' }
      await sendWith(scene, headers, ['post', '/auth/mfa/disable'], proof)
    },
  },
  'mfa.code_refused': {
    ...own,
    outcome: 'failure',
    cause: async (scene) => {
      const { headers } = await withFactor(scene)
      await scene.user.merge({ mfaFailures: limits.wrongCodesInARow }).save()
      const proof = { currentPassword: PASSWORD, code: '000000' }
      await sendWith(scene, headers, ['post', '/auth/mfa/disable'], proof)
    },
  },
  'reauthentication.required': {
    ...own,
    outcome: 'failure',
    cause: async (scene) => {
      const { headers } = await withFactor(scene)
      await sendWith(scene, headers, ['post', '/auth/mfa/disable'], {})
    },
  },
  'reauthentication.succeeded': {
    ...own,
    cause: async (scene) => {
      const { sessionId } = await signedIn(scene.client, scene.user)
      const credentials = { currentPassword: PASSWORD, code: '' }
      const actor = byUser(scene)
      for (let count = 1; count <= 3; count++) {
        await reauthenticate(scene.user, { sessionId, actor, credentials })
      }
      const events = await db.from('audit_events').where('target_id', scene.user.id)
      const confirmed = events.filter(({ action }) => action === 'reauthentication.succeeded')
      if (confirmed.length !== 1) throw new Error(`${confirmed.length} events of one flood`)
    },
  },
  'mfa.backup_codes_replaced': {
    ...own,
    cause: async (scene) => {
      const { headers, code } = await withFactor(scene)
      const proof = { currentPassword: PASSWORD, code }
      await sendWith(scene, headers, ['post', '/auth/mfa/backup-codes'], proof)
    },
  },
  'passkey.added': {
    ...own,
    mails: ['passkey_added'],
    cause: async (scene) => {
      const { headers } = await signedIn(scene.client, scene.user)
      const options = await sendWith(scene, headers, ['post', REGISTRATION_OPTIONS])
      const response = new Authenticator().create(options.body())
      await sendWith(scene, headers, ['post', '/auth/passkeys'], { response })
    },
  },
  'passkey.renamed': {
    ...own,
    cause: async (scene) => {
      const { id } = await givePasskey(scene.user)
      await renamePasskey({ userId: scene.user.id, id, actor: byUser(scene) }, 'Key')
    },
  },
  'passkey.removed': {
    ...own,
    mails: ['passkey_removed'],
    cause: async (scene) => {
      const { id } = await givePasskey(scene.user)
      await removePasskey(scene.user.id, { id }, byUser(scene))
    },
  },
  'passkey.counter_refused': {
    ...strange,
    mails: ['passkey_copied'],
    cause: async ({ client, user }) => {
      const { authenticator } = await givePasskey(user)
      for (let count = 0; count < 2; count++) {
        await passkeyLogin(client, authenticator, { forged: { counter: 7 } })
      }
    },
  },
  'identity.linked': {
    ...own,
    mails: ['identity_linked'],
    cause: async ({ client, user }) => {
      const { sessionId } = await signedIn(client, user)
      const facts = { emailVerified: false, name: null, picture: null, authenticatedAt: null }
      const identity = { ...identityOf(user), ...facts }
      await linkIdentity({ userId: user.id, sessionId }, identity, FROM)
    },
  },
  'identity.unlinked': {
    ...own,
    mails: ['identity_unlinked'],
    cause: async (scene) => {
      await Identity.create({ ...identityOf(scene.user), userId: scene.user.id })
      await unlinkProvider(scene.user.id, { provider: 'acme' }, byUser(scene))
    },
  },
  'device.locked': {
    ...strange,
    cause: async ({ client, user }) => {
      const device = await knownDevice(client, user)
      const guess = { email: user.email, password: 'Wrong-h0rse!', ...device }
      for (let count = 1; count <= 5; count++) await login(client, guess)
    },
  },
  'device.withdrawn': {
    ...own,
    cause: async (scene) => {
      await knownDevice(scene.client, scene.user)
      const [{ id }] = await listDevices(scene.user.id)
      await forgetDeviceAs(scene.user.id, id, byUser(scene))
    },
  },
  'api_key.created': {
    ...own,
    mails: ['api_key_created'],
    cause: async (scene) => {
      await createKey(scene.user.id, KEY, byUser(scene))
    },
  },
  'api_key.revoked': {
    ...own,
    mails: ['api_key_created'],
    cause: async (scene) => {
      const { record } = await createKey(scene.user.id, KEY, byUser(scene))
      await revokeApiKey(scene.user.id, record.id, byUser(scene))
    },
  },
  ...GROUP_EVENTS,
  ...WEBHOOK_EVENTS,
  'settings.changed': {
    ...aboutNobody,
    cause: async (scene) => {
      const actor = { ...byAdmin(scene), hasRecentAuthentication: true }
      await changeSettings({ BRAND_NAME: 'Acme' }, { actor, ifMatch: null })
      await forgetSettings()
    },
  },
  'client.created': {
    ...aboutNobody,
    cause: async (scene) => {
      await createClient(GRAFANA, byAdmin(scene))
    },
  },
  'client.updated': {
    ...aboutNobody,
    cause: async (scene) => {
      const { client } = await createClient(GRAFANA, byAdmin(scene))
      await updateClient(client.id, { name: 'Dashboards' }, byAdmin(scene))
    },
  },
  'client.secret_rotated': {
    ...aboutNobody,
    cause: async (scene) => {
      const { client } = await createClient(GRAFANA, byAdmin(scene))
      await rotateSecret(client.id, byAdmin(scene))
    },
  },
  'client.secret_incorrect': {
    ...strange,
    target: 'nobody',
    cause: async ({ client }) => {
      const app = await application()
      const request = client.post('/oauth/introspect').basicAuth(app.client.clientId, 'wrong')
      await request.form({ token: 'x' })
    },
  },
  'client.deleted': {
    ...aboutNobody,
    cause: async (scene) => {
      const { client } = await createClient(GRAFANA, byAdmin(scene))
      await deleteClient(client.id, byAdmin(scene))
    },
  },
  'application.authorized': {
    ...own,
    cause: async (scene) => {
      const app = await application({ kind: 'first_party' })
      await tokensOf(app, await browserOf(scene.user))
    },
  },
  'application.consented': {
    ...own,
    cause: async (scene) => {
      await giveConsent(await consentOf(scene), IDENTITY, byUser(scene))
    },
  },
  'application.refused': {
    ...own,
    outcome: 'failure',
    cause: async (scene) => {
      const app = await application({ kind: 'first_party', access: 'groups' })
      const browser = await browserOf(scene.user)
      const { url } = await authorizationRequest(app)
      await browser.open(url)
    },
  },
  'application.withdrawn': {
    ...own,
    cause: async (scene) => {
      const consent = await consentOf(scene)
      await giveConsent(consent, IDENTITY, byUser(scene))
      await revokeConsent(consent, byUser(scene))
    },
  },
  'mail.tested': {
    ...administered,
    mails: ['test'],
    cause: async (scene) => {
      await sendTestMail(scene.admin, byAdmin(scene))
      return scene.admin
    },
  },
  'configuration.applied': {
    ...aboutNobody,
    cause: async (scene) => {
      const file = await configurationFile(`groups: [{ name: 'Staff ${randomUUID()}' }]`)
      await applyConfiguration([file], { actor: byAdmin(scene) })
    },
  },
  'mail.retried': {
    ...administered,
    mails: ['password_changed'],
    cause: async (scene) => {
      const id = await failedMail(scene)
      await db.from('mails').where('id', id).update({ status: 'failed' })
      await retryMail(id, byAdmin(scene))
    },
  },
  'mail.read': {
    ...administered,
    mails: ['password_changed'],
    cause: async (scene) => {
      const id = await failedMail(scene)
      await mailedToken(scene.user.email, 'password_changed')
      await readMailFile(id, byAdmin(scene))
    },
  },
}
