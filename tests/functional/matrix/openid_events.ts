import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM, userActor } from '#audit/actor'
import { resetMfa } from '#users/reset_mfa'
import { concludeMfaChange } from '#auth/mfa/second_factor'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { revokeConsent } from '#oidc/grants/end_grants'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { login, PASSWORD } from '#tests/support/fixtures'
import { giveSecondFactor } from './sign_in_methods.ts'
import type { Scene } from './openid_steps.ts'

/* What happens to a person or a client between two steps of a flow. */

type Event = (scene: Scene) => Promise<unknown>

const FROM = { ip: '203.0.113.9', userAgent: null }
const HOUR_MS = 3_600_000

async function lockByFailures({ user: { email }, client }: Scene) {
  for (let count = 0; count < 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

/** Sets up MFA as the person does in another session. */
async function enrolElsewhere({ user }: Scene) {
  await giveSecondFactor(user)
  const caller = { userId: user.id, sessionId: randomUUID(), actor: userActor(user.id, FROM) }
  await db.transaction((trx) => concludeMfaChange({ caller, user, isEnabled: true }, trx))
}

const isGrant = (clientId: string | null) => clientId !== null

async function endEach({ user }: Scene, isMeant: (clientId: string | null) => boolean) {
  for (const { id, clientId } of await listSessions(user.id)) {
    if (isMeant(clientId)) await endSessionAs(user.id, id, SYSTEM)
  }
}

async function rotateTwice({ app }: Scene) {
  await rotateSecret(app.client.id, SYSTEM)
  await rotateSecret(app.client.id, SYSTEM)
}

export const EVENTS = {
  'nothing': async () => {},
  'a lock by failures': lockByFailures,
  'a lock by an administrator': ({ user }) => lockUser(user.id, Date.now() + HOUR_MS, SYSTEM),
  'disabling': ({ user }) => disableUser(user.id, {}, SYSTEM),
  'losing the verified address': ({ user }) =>
    updateUser(user.id, { emailVerified: false }, SYSTEM),
  'a password to be changed': ({ user }) =>
    setPassword(user, PASSWORD, { actor: SYSTEM, mustChange: true }),
  'a new password': ({ user }) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM }),
  'deletion': ({ user }) => deleteUser(user.id, SYSTEM),
  'demotion': ({ user }) => changeRole(user.id, 'User', SYSTEM),
  'a second factor': ({ user }) => giveSecondFactor(user),
  'enrolment in MFA elsewhere': enrolElsewhere,
  'a reset of MFA': ({ user }) => resetMfa(user.id, SYSTEM),
  'the person signing out of all': ({ user }) =>
    endAllSessionsAs(user.id, userActor(user.id, FROM)),
  'the end of the web session': (scene) => endEach(scene, (id) => !isGrant(id)),
  'the end of the grant': (scene) => endEach(scene, isGrant),
  'deletion of the client': ({ app }) => deleteClient(app.client.id, SYSTEM),
  'another secret': ({ app }) => rotateSecret(app.client.id, SYSTEM),
  'another secret twice': rotateTwice,
  'another algorithm of ID tokens': ({ app }) =>
    updateClient(app.client.id, { idTokenAlgorithm: 'ES256' }, SYSTEM),
  'withdrawal of the consent': ({ user, app }) =>
    revokeConsent({ userId: user.id, clientId: app.client.clientId }, SYSTEM),
} satisfies Record<string, Event>
