import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import limits from '#config/limits'
import { BATCH_SIZE } from '#database/batches'
import { SYSTEM } from '#audit/actor'
import { resetMfa } from '#users/reset_mfa'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { listKeys } from '#auth/api_keys/list_keys'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { listSessions, startSession } from '#auth/sessions/sessions'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import User from '#models/user'
import Identity from '#models/identity'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { unlinkProvider } from '#users/unlink_identity'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { resetPassword } from '#users/password_recovery'
import { reportSignIn } from '#users/report_sign_in'
import { undoEmailChange } from '#users/undo_email_change'
import { updateUser } from '#users/update_user'
import { createAdmin, keyOf, PASSWORD, someAddress, someEmail } from '#tests/support/fixtures'
import { givePasskey } from '#tests/support/passkeys'
import { storeStateOf } from '#tests/support/store_state'
import { recordsWhere } from '#tests/support/trail'

/*
 | The last administrator who can sign in × each way to lose this administrator. A second
 | administrator cannot sign in, for one reason in each case.
 */

const link = ({ id: userId }: User, provider: string) =>
  Identity.create({
    userId,
    provider,
    issuer: 'https://idp.example',
    subject: `${provider}-${userId}`,
  })

async function changedAdmin(values: object) {
  const { id } = await createAdmin()
  await db.from('users').where({ id }).update(values)
}

/** How an administrator can sign in: only by the methods that a case takes away. */
type Given = 'password' | 'passkey' | 'identity' | 'passkey beside suspended codes'

const SUSPENDED = { mfa_enabled: true, mfa_failures: limits.wrongCodesInARow }

async function someAdmin(given: Given) {
  const admin = await createAdmin({ password: given === 'password' ? PASSWORD : null })
  if (given.startsWith('passkey')) await givePasskey(admin)
  if (given.endsWith('codes')) await db.from('users').where('id', admin.id).update(SUSPENDED)
  if (given === 'identity') await link(admin, 'acme')
  return User.findOrFail(admin.id)
}

interface Loss {
  given?: Given
  needsVerification?: boolean
  lose: (admin: User) => Promise<unknown>
}

const unlink: Loss['lose'] = async (admin) => {
  await link(admin, 'gone')
  return unlinkProvider(admin.id, { provider: 'acme' }, SYSTEM)
}

const removeTheirPasskey: Loss['lose'] = async (admin) => {
  await link(admin, 'gone')
  const { id } = await db.from('passkeys').where('user_id', admin.id).firstOrFail()
  return removePasskey(admin.id, { id }, SYSTEM)
}

const FROM = { ip: '203.0.113.7', userAgent: null }

/** Follows a mailed link that is older than the passkey. */
function byLink(purpose: OneTimePurpose, follow: (token: string) => Promise<unknown>): Loss {
  const lose: Loss['lose'] = async (admin) => follow(await linkOf(admin, purpose))
  return { given: 'passkey beside suspended codes', lose }
}

function linkOf(admin: User, purpose: OneTimePurpose) {
  const about = { purpose, mailId: randomUUID(), causedAt: Date.now() - 60_000 }
  return db.transaction((trx) => issueOneTimeToken(admin, about, trx))
}

const reset = { password: 'Another-h0rse!', removePasskeys: true }

const LOSSES: Record<string, Loss> = {
  'deletion': { lose: ({ id }) => deleteUser(id, SYSTEM) },
  'disabling': { lose: ({ id }) => disableUser(id, {}, SYSTEM) },
  'demotion': { lose: ({ id }) => changeRole(id, 'User', SYSTEM) },
  'a lock': { lose: ({ id }) => lockUser(id, Date.now() + 60_000, SYSTEM) },
  'no verification': {
    needsVerification: true,
    lose: ({ id }) => updateUser(id, { emailVerified: false }, SYSTEM),
  },
  'another address': {
    needsVerification: true,
    lose: ({ id }) => updateUser(id, { email: someEmail() }, SYSTEM),
  },
  'a reset of MFA': { given: 'passkey', lose: ({ id }) => resetMfa(id, SYSTEM) },
  'no passkey': { given: 'passkey', lose: removeTheirPasskey },
  'no provider': { given: 'identity', lose: unlink },
  'a reset by mail': byLink('password_reset', (token) => resetPassword({ token, ...reset }, FROM)),
}

/** An intruder loses the sessions, even if the last administrator then cannot sign in. */
const SESSION_ENDS: Record<string, Loss> = {
  'the undo of an address': byLink('email_change_undo', (token) => undoEmailChange(token, FROM)),
  'a reported sign-in': byLink('sign_in_report', (token) => reportSignIn(token, FROM)),
}

const ACTIONS: Record<keyof typeof SESSION_ENDS, string> = {
  'the undo of an address': 'email.change_undone',
  'a reported sign-in': 'session.denied',
}

/** Other administrators, none of whom can sign in now. */
const OTHERS: Record<string, () => Promise<unknown>> = {
  'no other administrator': async () => {},
  'an unverified one': () => createAdmin({ isVerified: false }),
  'an invited one': () => createAdmin({ password: null }),
  'a disabled one': async () => changedAdmin({ disabled_at: Date.now() }),
  'one of a provider that is gone': async () => link(await createAdmin({ password: null }), 'gone'),
  'one whose codes are suspended': async () => changedAdmin(SUSPENDED),
}

const CELLS = Object.keys(LOSSES).flatMap((loss) =>
  Object.keys(OTHERS)
    .filter((other) => LOSSES[loss].needsVerification || other !== 'an unverified one')
    .map((other) => ({ loss, other }))
)

async function stateOf(admin: User) {
  const user = await User.find(admin.id)
  return { user: user?.serialize(), ...(await storeStateOf(admin)) }
}

/** Makes an administrator with two sessions, in a browser and with an application. */
async function signedInAdmin(given: Given) {
  const admin = await someAdmin(given)
  const how = { method: 'password', amr: ['pwd'] }
  for (const id of ['laptop', 'phone'])
    await startSession(admin, { device: { id, ...FROM }, ...how })
  return admin
}

/** In batches: one statement that changes the thousands of other tests' users would time out. */
async function demoteEverybody() {
  for (;;) {
    const admins = await db.from('users').where('role', 'Admin').select('id').limit(200)
    if (admins.length === 0) return
    const ids = admins.map(({ id }) => id)
    await db.from('users').whereIn('id', ids).update({ role: 'User' })
  }
}

test.group('Last administrator', (group) => {
  group.each.setup(async () => {
    await demoteEverybody()
    return () => env.set('REQUIRE_VERIFIED_EMAIL', false)
  })

  test('{loss} is refused beside {other}')
    .with(CELLS)
    .run(async ({ assert }, { loss, other }) => {
      const { given = 'password', needsVerification = false, lose } = LOSSES[loss]
      env.set('REQUIRE_VERIFIED_EMAIL', needsVerification)
      const admin = await signedInAdmin(given)
      await OTHERS[other]()
      const before = await stateOf(admin)
      assert.lengthOf(before.sessions, 2)
      await assert.rejects(() => lose(admin), /last administrator/)
      assert.deepEqual(await stateOf(admin), before)
    })

  test('{loss} ends sessions and keeps passkeys beside {other}')
    .with(
      Object.keys(SESSION_ENDS).flatMap((loss) =>
        Object.keys(OTHERS)
          .filter((other) => other !== 'an unverified one')
          .map((other) => ({ loss, other }))
      )
    )
    .run(async ({ assert }, { loss, other }) => {
      const admin = await someAdmin('passkey beside suspended codes')
      const device = { id: 'laptop', ...FROM }
      await startSession(admin, { device, method: 'passkey', amr: ['swk', 'user', 'mfa'] })
      await keyOf(admin)
      await OTHERS[other]()
      await SESSION_ENDS[loss].lose(admin)
      const { id } = admin
      const left = await Promise.all([listSessions(id), listKeys(id), listPasskeys(id)])
      assert.deepEqual(
        left.map((list) => list.length),
        [0, 0, 1]
      )
      const [{ details }] = await recordsWhere({ target_id: id, action: ACTIONS[loss] })
      assert.equal(details.endedSessions, 1)
    })

  test('{path} says on its page what stays')
    .with([
      { path: '/not-me', purpose: 'sign_in_report' as const },
      { path: '/undo-email-change', purpose: 'email_change_undo' as const },
    ])
    .run(async ({ client, assert }, { path, purpose }) => {
      const admin = await someAdmin('passkey beside suspended codes')
      const request = client.post(path).header('x-forwarded-for', someAddress())
      const page = await request.form({ token: await linkOf(admin, purpose) })
      assert.include(page.text(), 'no other administrator can sign in')
    })

  test('{$self} passes beside one who can sign in')
    .with(Object.keys({ ...LOSSES, ...SESSION_ENDS }))
    .run(async ({ assert }, loss) => {
      const {
        given = 'password',
        needsVerification = false,
        lose,
      } = { ...LOSSES, ...SESSION_ENDS }[loss]
      env.set('REQUIRE_VERIFIED_EMAIL', needsVerification)
      const admin = await someAdmin(given)
      await createAdmin()
      await assert.doesNotReject(() => lose(admin))
    })

  test('whose deletion is refused keeps many tokens of applications', async ({ assert }) => {
    const { id } = await createAdmin()
    const row = { kind: 'AccessToken', payload: '{}', user_id: id, expires_at: Date.now() + 60_000 }
    const rows = Array.from({ length: BATCH_SIZE + 1 }, () => ({ ...row, id_hash: randomUUID() }))
    await db.table('oauth_records').multiInsert(rows)
    await assert.rejects(() => deleteUser(id, SYSTEM), /last administrator/)
    assert.lengthOf(await db.from('oauth_records').where('user_id', id), rows.length)
  })

  test('of two who lose their last way at once one stays', async ({ assert }) => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    const [one, other] = [await someAdmin('passkey'), await someAdmin('password')]
    const outcomes = await Promise.allSettled([
      resetMfa(one.id, SYSTEM),
      updateUser(other.id, { emailVerified: false }, SYSTEM),
    ])
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    assert.lengthOf(refused, 1)
  })

  test('an MFA reset passes where no administrator can sign in', async ({ assert }) => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    const admin = await createAdmin({ isVerified: false })
    await assert.doesNotReject(() => resetMfa(admin.id, SYSTEM))
  })

  test('a lock that has lapsed counts as none', async ({ assert }) => {
    const admin = await createAdmin()
    const past = DateTime.utc().minus({ minutes: 1 }).toMillis()
    await changedAdmin({ locked_until: past, lock_kind: 'administrator' })
    await assert.doesNotReject(() => deleteUser(admin.id, SYSTEM))
  })
})
