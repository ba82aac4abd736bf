import { randomBytes, randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import { v7 as uuidv7 } from 'uuid'
import Identity from '#models/identity'
import type User from '#models/user'
import { SYSTEM, userActor } from '#audit/actor'
import { createKey } from '#auth/api_keys/create_key'
import { upsertDevice } from '#auth/devices/remember_device'
import { encryptSecret, newSecret } from '#auth/mfa/totp'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { rotateKeys } from '#auth/signing_keys/rotation'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { createProvider } from '#settings/external_providers'
import { giveConsent } from '#oidc/consents/consents'
import { DELIVERY_ERRORS, DELIVERY_STATUSES } from '#webhooks/deliveries/delivery'
import { PUBLIC_TYPES } from '#webhooks/types/public_types'
import { addServiceAccount } from '#users/service_accounts'
import { addUser } from '#users/add_user'
import { lockUser } from '#users/lock_user'
import { updateProfile } from '#users/profile'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { newWebhook, removeWebhooks } from '#tests/support/webhook_endpoints'
import { givePasskey } from '#tests/support/passkeys'

/* Users, applications and mails whose values are all as long as people or attackers make them. */

/** A word of 100 characters, without a place where a line could break. */
export const LONG_NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
  .repeat(2)
  .slice(0, 100)

const LONG_AGENT = 'W'.repeat(500)
const WEEK_MS = 7 * 86_400_000

/** Returns an everyday address of 48 characters. */
export function longEmail() {
  return `wolkenkratzerin-${randomBytes(4).toString('hex')}`.padEnd(36, 'x') + '@example.org'
}

const FROM = { ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348', userAgent: LONG_AGENT }

export async function makeHostileData() {
  const longNames = { username: LONG_NAME }
  const admin = await createAdmin({ ...longNames, email: longEmail() })
  const user = await createUser({ ...longNames, email: longEmail() })
  const other = await createUser({ ...longNames, email: longEmail() })
  for (const each of [admin, user, other]) await furnish(each)
  await lockUser(other.id, Date.now() + WEEK_MS, SYSTEM)
  await addUser({ ...longNames, email: longEmail() }, SYSTEM)
  await addServiceAccount(longNames, SYSTEM)
  const disabled = await createUser({ ...longNames, email: longEmail(), isVerified: false })
  await disableUser(disabled.id, { reason: LONG_NAME }, SYSTEM)
  const guarded = await createUser({ ...longNames, email: longEmail() })
  await giveCodes(guarded)
  const group = await makeGroups([user, other])
  const app = await makeClient([admin, user, other])
  const webhook = await makeWebhook()
  await makeFailedMail(user)
  const provider = await makeProvider()
  await rotateKeys(SYSTEM)
  return { admin, user, other, guarded, group, app, client: app.client, webhook, provider }
}

/** The test that opens the pages deletes the provider. */
async function makeProvider() {
  const name = `p${randomBytes(15).toString('hex')}`
  const issuer = `https://${'w'.repeat(60)}.example.org/${'w'.repeat(150)}`
  await createProvider({ name, issuer, clientId: 'W'.repeat(255), clientSecret: 'w' }, SYSTEM)
  return name
}

export type HostileData = Awaited<ReturnType<typeof makeHostileData>>

async function furnish(user: User) {
  for (let index = 0; index < 3; index++) await signIn(user)
  const identity = { userId: user.id, provider: 'github', issuer: 'https://github.com' }
  await Identity.create({ ...identity, subject: randomUUID(), email: longEmail() })
  await givePasskey(user, { name: LONG_NAME })
  const scopes = ['profile:read', 'sessions:read'] as const
  await createKey(user.id, { name: LONG_NAME, scopes: [...scopes] }, SYSTEM)
  await updateUser(user.id, { nickname: LONG_NAME }, SYSTEM)
  await requestAddress(user)
}

async function signIn(user: User) {
  const { session } = await startSession(user, {
    device: { id: 'default', ...FROM },
    ...BY_PASSWORD,
  })
  await db.transaction(async (trx) => {
    const row = await trx.from('users').where('id', user.id).firstOrFail()
    const passwordChangedAt = Number(row.password_changed_at)
    await upsertDevice(session, { deviceId: randomUUID(), passwordChangedAt } as never, trx)
  })
  return session
}

async function requestAddress(user: User) {
  const session = await signIn(user)
  const actor = { ...userActor(user.id, FROM), hasRecentAuthentication: true }
  const caller = { userId: user.id, sessionId: session.id, actor, credentials: {} }
  await updateProfile(caller, { email: longEmail() })
}

/** Gives a user a second factor, so that a page asks for its code. */
function giveCodes(user: User) {
  const { secret } = newSecret(user.email)
  return user.merge({ mfaEnabled: true, mfaSecret: encryptSecret(user.id, secret) }).save()
}

/** Makes a group with the longest name, one in right-to-left script, and groups of a provider. */
async function makeGroups(users: User[]) {
  const name = LONG_NAME + randomBytes(14).toString('hex')
  const description = `${LONG_NAME} <script>alert(1)</script>`
  const long = await createGroup({ name, title: LONG_NAME, description }, SYSTEM)
  const rightToLeft = await createGroup({ name: `مجموعة 😀 ${randomUUID()}` }, SYSTEM)
  for (const { id: userId } of users) {
    await addMember(userId, long.id, SYSTEM)
    await addMember(userId, rightToLeft.id, SYSTEM)
    const from = { userId, provider: 'acme', groups: [LONG_NAME, '<script>'], actor: SYSTEM }
    await db.transaction((trx) => setProvidedGroups(from, trx))
  }
  return long
}

async function makeClient(users: User[]) {
  const redirectUris = [`https://${'subdomain.'.repeat(12)}example.org/${'path'.repeat(20)}`]
  const app = await application({ name: LONG_NAME, kind: 'third_party', redirectUris })
  for (const { id: userId } of users) {
    const consent = { userId, clientId: app.client.clientId }
    await giveConsent(consent, { scopes: ['openid', 'email', 'profile'], resources: [] }, SYSTEM)
  }
  return app
}

/** Makes a webhook that fails in every way, with an address as long as people make one. */
async function makeWebhook() {
  await removeWebhooks()
  const url = `https://${'subdomain.'.repeat(12)}example.org/${'path'.repeat(60)}`
  const given = { name: LONG_NAME, url, events: [...PUBLIC_TYPES], description: LONG_NAME }
  const webhook = await newWebhook(given)
  await db
    .from('webhooks')
    .where('id', webhook.id)
    .update({ first_failure_at: Date.now() - WEEK_MS })
  const errors = [null, ...DELIVERY_ERRORS]
  const deliveries = errors.map((error, index) => ({
    id: uuidv7(),
    webhook_id: webhook.id,
    event_id: uuidv7(),
    type: PUBLIC_TYPES[index],
    status: DELIVERY_STATUSES[index % 3],
    attempts: index,
    response_status: error === 'status' ? 503 : null,
    duration_ms: 14_999,
    error,
    next_attempt_at: index % 3 === 0 ? Date.now() + WEEK_MS / 7 : null,
    created_at: Date.now() - index * 60_000,
  }))
  await db.table('webhook_deliveries').multiInsert(deliveries)
  return webhook
}

function makeFailedMail({ id, email }: User) {
  return db.table('mails').insert({
    id: uuidv7(),
    kind: 'password_changed',
    user_id: id,
    recipient: email,
    payload: encryption.encrypt({}),
    status: 'failed',
    attempts: 12,
    last_error: `550 5.1.1 <${email}>: Recipient address rejected: ${LONG_NAME}`,
    created_at: Date.now(),
  })
}

/** Returns the token of a mailed link. */
export function linkTokenOf(user: User, purpose: OneTimePurpose) {
  return db.transaction((trx) => issueOneTimeToken(user, { purpose }, trx))
}
