import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import store from '#auth/store/service'
import { REDIRECT } from '#tests/support/oidc'
import { createAdmin, createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { signingKid, signWith } from '#tests/support/signing_keys'
import { newWebhook, removeWebhooks, silenceMails, someUrl } from '#tests/support/webhook_endpoints'
import { sendOverSignIn } from '../account/left_form.ts'
import { visitor } from './console_visitor.ts'
import { giveSecondFactor } from './sign_in_methods.ts'
import type User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { registerGroupUse } from '#groups/uses'
import { createClient } from '#oidc/clients/clients'
import { finishDeletion } from '#oidc/clients/deletion/finish_deletion'
import { giveConsent } from '#oidc/consents/consents'
import type { Group } from '#groups/group'
import type { OAuthClient } from '#oidc/clients/client'
import type { Webhook } from '#webhooks/webhook'

/*
 | Sensitive changes in the console × how its session was proved. A change without proof shows the
 | page that asks for the password (403), and is made after it.
 */

interface Target {
  admin: User
  user: User
  /** The id of the key that signs. */
  kid: string
  app: OAuthClient
  /** A group that an application names. */
  group: Group
  webhook: Webhook
}

type Fields = Record<string, string>

/** Returns the path and fields of a form, with an administrator and a plain user as targets. */
const CHANGES: Record<string, (target: Target) => [path: string, fields?: Fields]> = {
  'making an Admin': ({ user }) => [`/admin/users/${user.id}`, detailsOf(user, { role: 'Admin' })],
  'unmaking an Admin': ({ admin }) => [
    `/admin/users/${admin.id}`,
    detailsOf(admin, { role: 'User' }),
  ],
  'the e-mail of an Admin': ({ admin }) => [
    `/admin/users/${admin.id}`,
    detailsOf(admin, { email: someEmail() }),
  ],
  'the handle of a user': ({ user }) => [
    `/admin/users/${user.id}`,
    detailsOf(user, { handle: `h${user.id}` }),
  ],
  'withdrawing the address of an Admin': ({ admin }) => [
    `/admin/users/${admin.id}/pending-email/withdraw`,
  ],
  'disabling an Admin': ({ admin }) => [`/admin/users/${admin.id}/disable`],
  'enabling an Admin': ({ admin }) => [`/admin/users/${admin.id}/enable`],
  'locking an Admin': ({ admin }) => [`/admin/users/${admin.id}/lock`, { minutes: '60' }],
  'unlocking an Admin': ({ admin }) => [`/admin/users/${admin.id}/unlock`],
  'deleting an Admin': ({ admin }) => [`/admin/users/${admin.id}/delete`],
  'a password for an Admin': ({ admin }) => [`/admin/users/${admin.id}/password`],
  'a reset mail to an Admin': ({ admin }) => [`/admin/users/${admin.id}/password-mail`],
  'resetting the MFA of an Admin': ({ admin }) => [`/admin/users/${admin.id}/mfa-reset`],
  'inviting an Admin': () => [
    '/admin/users/invite',
    { email: someEmail(), username: 'Grace', role: 'Admin' },
  ],
  'creating a verified user': () => [
    '/admin/users',
    {
      email: someEmail(),
      username: 'Grace',
      role: 'User',
      emailVerified: 'true',
      password: PASSWORD,
    },
  ],
  'marking an address as verified': ({ user }) => [`/admin/users/${user.id}/verify`],
  'creating a service account as an Admin': () => [
    '/admin/users/create-service',
    { username: 'worker', role: 'Admin' },
  ],
  'adding a webhook': () => ['/admin/webhooks', { 'url': someUrl(), 'events[]': '*' }],
  'the address of a webhook': ({ webhook: { id, name } }) => [
    `/admin/webhooks/${id}`,
    { name, 'url': someUrl(), 'events[]': '*' },
  ],
  'rotating the secret of a webhook': ({ webhook }) => [
    `/admin/webhooks/${webhook.id}/rotate-secret`,
  ],
  'removing the logo of the service': () => ['/admin/settings/logo/remove'],
  'reading a mail': () => [`/admin/mails/${randomUUID()}/read`],
  'letting a restored copy write': () => ['/admin/outbound/resume'],
  'rotating the signing keys': () => ['/admin/keys/rotate'],
  'rotating the signing keys at once': () => ['/admin/keys/rotate-now'],
  'registering an application': () => ['/admin/clients', CLIENT],
  'changing an application': ({ app }) => [`/admin/clients/${app.id}`, CLIENT],
  'rotating the secret of an application': ({ app }) => [`/admin/clients/${app.id}/rotate-secret`],
  'allowing what an application was refused': ({ app }) => [
    `/admin/clients/${app.id}/allow/requirePkce`,
  ],
  'deleting an application': ({ app }) => [`/admin/clients/${app.id}/delete`],
  'deleting a group': ({ group }) => [`/admin/groups/${group.id}/delete`],
  'renaming a group that an application names': ({ group }) => [
    `/admin/groups/${group.id}`,
    { name: `${group.name}!`, title: '', description: '' },
  ],
  'adding a member to it': ({ group, user }) => [
    `/admin/groups/${group.id}/members`,
    { user: user.id },
  ],
  'removing a member from it': ({ group, admin }) => [
    `/admin/groups/${group.id}/members/${admin.id}/remove`,
  ],
  'adding it to a user': ({ group, user }) => [
    `/admin/users/${user.id}/groups`,
    { group: group.name },
  ],
  'removing it from a user': ({ group, admin }) => [
    `/admin/users/${admin.id}/groups/${group.id}/remove`,
  ],
  'ending an application without a registration': () => [
    '/admin/client-documents/delete',
    { client_id: STRANGER },
  ],
  'revoking a signing key': ({ kid }) => [`/admin/keys/${kid}/revoke`],
  'unlocking several, an Admin among them': ({ admin, user }) => [
    '/admin/users/bulk/apply',
    { 'action': 'unlock', 'ids[0]': admin.id, 'ids[1]': user.id },
  ],
  'disabling several, an Admin among them': ({ admin, user }) => [
    '/admin/users/bulk/apply',
    { 'action': 'disable', 'ids[0]': admin.id, 'ids[1]': user.id },
  ],
}

/** The id of an application to which a user has allowed access. */
const STRANGER = 'https://stranger.example.org/client.json'

const CLIENT: Fields = {
  'name': 'Grafana',
  'kind': 'first_party',
  'redirectUris': 'https://grafana.example.org/login/generic_oauth',
  'tokenEndpointAuthMethod': 'client_secret_basic',
  'grantTypes[]': 'authorization_code',
  'scopes[]': 'openid',
}

function detailsOf({ email, username, role }: User, changed: Fields): Fields {
  return { email, username, nickname: '', role, ...changed }
}

interface Proof {
  isOld?: boolean
  amr: string[]
  hasMfa?: boolean
  /** Whether the form was sent before the sign-in: another person may have filled it in. */
  isLeft?: boolean
  status: number
}

const PROOFS: Record<string, Proof> = {
  'an old session': { isOld: true, amr: ['pwd'], status: 403 },
  'a fresh session': { amr: ['pwd'], status: 303 },
  'a fresh session from before MFA': { amr: ['pwd'], hasMfa: true, status: 403 },
  'an old session with code': { isOld: true, amr: ['pwd', 'mfa'], hasMfa: true, status: 403 },
  'a fresh session with code': { amr: ['pwd', 'mfa'], hasMfa: true, status: 303 },
  'a fresh session that began after it': { amr: ['pwd'], isLeft: true, status: 403 },
}

const NOTHING = { scopes: [], resources: [] }

async function someClient() {
  const { client } = await createClient({ name: 'Grafana', redirectUris: [REDIRECT] }, SYSTEM)
  return client
}

const named = new Set<string>()
registerGroupUse(async (groups) => groups.filter(({ id }) => named.has(id)))

async function namedGroup(member: User) {
  const group = await createGroup({ name: randomUUID() }, SYSTEM)
  named.add(group.id)
  await addMember(member.id, group.id, SYSTEM)
  return group
}

const CELLS = Object.keys(CHANGES).flatMap((change) =>
  Object.entries(PROOFS).map(([proof, { status }]) => ({ change, proof, status }))
)

/**
 * One function judges a proof by the session that was read, whatever the change is. SQLite tests
 * each change with each proof; other backends test each change in an old and a fresh session.
 */
const isEverywhere = ({ change, proof }: (typeof CELLS)[number]) => {
  const { hasMfa, isLeft } = PROOFS[proof]
  return !(hasMfa || isLeft) || change === 'disabling an Admin'
}

test.group('Matrix | console changes by proof', (group) => {
  signWith(group, 'ES256')
  silenceMails(group)

  test('{change} in {proof}: {status}')
    .with(cellsHere(CELLS, isEverywhere))
    .run(async ({ assert, cleanup }, { change, proof, status }) => {
      cleanup(() => finishDeletion(STRANGER))
      await removeWebhooks()
      const admin = await createAdmin()
      if (PROOFS[proof].hasMfa) await giveSecondFactor(admin)
      await giveConsent({ userId: admin.id, clientId: STRANGER }, NOTHING, SYSTEM)
      const other = await createAdmin()
      const target = {
        admin: other,
        group: await namedGroup(other),
        user: await createUser(),
        kid: await signingKid(),
        app: await someClient(),
        webhook: await newWebhook(),
      }
      const { browser, submit } = await visitor(admin, PROOFS[proof])
      const form = CHANGES[change](target)
      const { isLeft } = PROOFS[proof]
      const sent = isLeft ? sendOverSignIn({ browser, user: admin }, ...form) : submit(...form)
      const response = await sent
      assert.equal(response.status, status, await response.text())
    })

  test('the confirmation is the proof of the session', async ({ assert }) => {
    const admin = await createAdmin()
    const code = await giveSecondFactor(admin)
    const { sessionId, submit } = await visitor(admin, { amr: ['pwd'], isOld: true })
    const confirmed = await submit('/confirm', { password: PASSWORD, code })
    const other = await createAdmin()
    const deleted = await submit(`/admin/users/${other.id}/delete`)
    const session = await store.findSession(admin.id, sessionId, Date.now())
    assert.deepEqual([confirmed.status, deleted.status], [303, 303])
    assert.deepEqual(session?.amr, ['pwd', 'otp', 'mfa'])
  })

  test('a new password of an MFA user needs a code', async ({ assert }) => {
    const admin = await createAdmin()
    const code = await giveSecondFactor(admin)
    const { submit } = await visitor(admin, { amr: ['pwd', 'otp', 'mfa'], isOld: true })
    const passwords = { currentPassword: PASSWORD, newPassword: 'An0ther-horse!' }
    const without = await submit('/admin/account/security/password', passwords)
    const withCode = await submit('/admin/account/security/password', { ...passwords, code })
    assert.deepEqual([without.status, withCode.status], [403, 303])
  })
})
