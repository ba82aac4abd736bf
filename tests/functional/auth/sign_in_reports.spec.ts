import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import type User from '#models/user'
import { findPendingSecret, storePendingSecret } from '#auth/mfa/pending_secret'
import { encryptSecret, newSecret } from '#auth/mfa/totp'
import { storeSecondFactor } from '#auth/mfa/second_factor'
import { listKeys } from '#auth/api_keys/list_keys'
import { endSessions, listSessions } from '#auth/sessions/sessions'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { signInExternally } from '#auth/sign_in/sign_in_externally'
import { listIdentities } from '#auth/external/list_identities'
import { reportSignIn } from '#users/report_sign_in'
import { createUser, keyOf, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { mailedToken, mailFilesOf, deliverMails } from '#tests/support/mail'
import { moved, undo } from '../users/change_address.ts'
import { givePasskey } from '#tests/support/passkeys'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const FROM = { ip: '203.0.113.9', userAgent: null }
const STRANGER = { deviceId: 'stranger' }

/** Makes a verified user who has signed in from their own device. */
async function owner(client: ApiClient) {
  const user = await createUser({ isVerified: true })
  await signedIn(client, user, { deviceId: 'laptop' })
  return user
}

/** Signs a stranger in and leaves what `leave` adds. @returns the token of the mail about it */
async function robbed(
  client: ApiClient,
  user: User,
  leave: (user: User) => Promise<unknown> = async () => {}
) {
  await signedIn(client, user, STRANGER)
  await leave(user)
  return mailedToken(user.email, 'new_device')
}

const enableMfa = ({ id, email }: User) =>
  db.transaction((trx) => storeSecondFactor(id, { secret: newSecret(email).secret, step: 1 }, trx))

const linkIdentity = ({ id: userId }: User) =>
  Identity.create({ userId, provider: 'acme', issuer: 'https://idp.example', subject: userId })

const beginMfa = ({ id, email }: User) =>
  db.transaction((trx) => storePendingSecret(id, newSecret(email).secret, trx))

const askForAddress = ({ id }: User) =>
  db
    .from('users')
    .where({ id })
    .update({ pending_email: someEmail(), pending_email_at: Date.now() })

const hasKey = async ({ id }: User) => {
  const keys = await listKeys(id)
  return keys.length > 0
}

const hasIdentity = async ({ id }: User) => {
  const identities = await listIdentities(id)
  return identities.length > 0
}

const hasPasskey = async ({ id }: User) => {
  const passkeys = await listPasskeys(id)
  return passkeys.length > 0
}

const hasMfa = async (user: User) => Boolean(await user.refresh().then(() => user.mfaEnabled))
const hasSecret = async ({ id }: User) => Boolean(await findPendingSecret(id))
const hasAddress = async (user: User) => Boolean(await user.refresh().then(() => user.pendingEmail))

type Leave = (user: User) => Promise<unknown>

/** What a stranger may leave behind, and whether it is there. */
const LEFT: Record<string, [Leave, (user: User) => Promise<boolean>]> = {
  'an API key': [keyOf, hasKey],
  'an identity': [linkIdentity, hasIdentity],
  'a passkey': [givePasskey, hasPasskey],
  'a second factor': [enableMfa, hasMfa],
  'a secret that waits': [beginMfa, hasSecret],
  'an address that waits': [askForAddress, hasAddress],
}

const CASES = Object.entries(LEFT).map(([what, [leave, isThere]]) => ({ what, leave, isThere }))

/** A pending address or secret is the stranger's or void, so that it is removed in every case. */
const KEPT = CASES.filter(({ what }) => !what.endsWith('waits'))

test.group('Sign-in report | what was added', () => {
  test('{what} of a stranger goes')
    .with(CASES)
    .run(async ({ client, assert }, { leave, isThere }) => {
      const user = await owner(client)
      const token = await robbed(client, user, leave)
      assert.isTrue(await isThere(user))
      await reportSignIn(token, FROM)
      assert.isFalse(await isThere(user))
    })

  test('{what} from before the sign-in stays')
    .with(KEPT)
    .run(async ({ client, assert }, { what, leave, isThere }) => {
      const user = await owner(client)
      if (what !== 'a second factor') await leave(user)
      const token = await robbed(client, user)
      if (what === 'a second factor') await enabledBefore(user)
      await reportSignIn(token, FROM)
      assert.isTrue(await isThere(user))
    })

  /** The stranger would need a code of this second factor to sign in. */
  async function enabledBefore({ id, email }: User) {
    const secret = encryptSecret(id, newSecret(email).secret)
    const before = { mfa_enabled: true, mfa_secret: secret, mfa_enabled_at: Date.now() - 60_000 }
    await db.from('users').where({ id }).update(before)
  }

  test('the link outlives its session while {what} is left')
    .with(KEPT)
    .run(async ({ client, assert }, { leave, isThere }) => {
      const user = await owner(client)
      const token = await robbed(client, user, leave)
      await endSessions(user.id)
      const page = await client.get('/not-me').qs({ token })
      page.assertStatus(200)
      await reportSignIn(token, FROM)
      assert.isFalse(await isThere(user))
      await assert.rejects(() => reportSignIn(token, FROM))
    })

  test('the page says that the account has another address', async ({ client, assert }) => {
    const user = await owner(client)
    const token = await robbed(client, user)
    await db.from('users').where('id', user.id).update({ email: someEmail() })
    const page = await client.post('/not-me').header('x-forwarded-for', FROM.ip).form({ token })
    assert.include(page.text(), 'another address now')
  })

  test('an identity that the sign-in itself linked goes', async ({ client, assert }) => {
    const user = await owner(client)
    const about = {
      email: user.email,
      emailVerified: true,
      name: null,
      picture: null,
      authenticatedAt: null,
    }
    const subject = { provider: 'acme', issuer: 'https://idp.example', subject: user.id }
    const identity = { ...subject, ...about, isLinked: false }
    const device = { id: 'stranger', ip: someAddress(), userAgent: null }
    const { outcome } = await signInExternally({ user, identity, device })
    assert.equal(outcome, 'signed_in')
    assert.lengthOf(await listIdentities(user.id), 1)
    await reportSignIn(await mailedToken(user.email, 'new_device'), FROM)
    assert.lengthOf(await listIdentities(user.id), 0)
  })

  test('the device of the report is new again', async ({ client, assert }) => {
    const user = await owner(client)
    await reportSignIn(await robbed(client, user), FROM)
    await signedIn(client, user, STRANGER)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.lengthOf(
      mails.filter(({ kind }) => kind === 'new_device'),
      2
    )
  })

  test('page, mail and trail say what was removed', async ({ client, assert }) => {
    const user = await owner(client)
    const token = await robbed(client, user, async () => {
      await keyOf(user)
      await keyOf(user)
      await linkIdentity(user)
      await enableMfa(user)
    })
    const page = await client.post('/not-me').header('x-forwarded-for', FROM.ip).form({ token })
    const list = 'sign-in with Acme, 2 API keys, and the second factor'
    page.assertStatus(200)
    assert.include(page.text(), list)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    const reset = mails.find(({ kind }) => kind === 'password_reset')!
    assert.include(reset.text.replaceAll(/\s+/g, ' '), list)
    const [{ details }] = await recordsWhere({ target_id: user.id, action: 'session.denied' })
    assert.containSubset(details, { unlinked: ['acme'], revokedKeys: 2, removedMfa: true })
  })

  test('a report that finds nothing says so by silence', async ({ client, assert }) => {
    const user = await owner(client)
    const token = await robbed(client, user)
    const page = await client.post('/not-me').header('x-forwarded-for', FROM.ip).form({ token })
    assert.notInclude(page.text(), 'removed')
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.isTrue(mails.every(({ text }) => !text.includes('we removed')))
  })
})

test.group('Sign-in report | undone address', () => {
  test('{name} of a thief ends with the change')
    .with([
      { name: 'a link about a sign-in', isSent: true },
      { name: 'a mail about a sign-in', isSent: false },
    ])
    .run(async ({ client, assert }, { isSent }) => {
      const user = await owner(client)
      const { headers } = await signedIn(client, user, { deviceId: 'laptop' })
      const theirs = someEmail()
      const token = await moved(client, headers, [user.email, theirs])
      await signedIn(client, user, { ...STRANGER, email: theirs })
      const sent = isSent ? await mailedToken(theirs, 'new_device') : ''
      await undo(client, token)
      await signedIn(client, user, { deviceId: 'laptop' })
      const link = sent || (await mailedToken(theirs, 'new_device'))
      const page = await client.post('/not-me').form({ token: link })
      page.assertStatus(404)
      assert.equal(Boolean(link), isSent)
      assert.lengthOf(await listSessions(user.id), 1)
    })
})
