import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { requestVerificationOfAddress } from '#users/request_verification'
import { requestPasswordReset } from '#users/request_password_reset'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { createUser, keyOf, login, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import { mailedCode } from '#tests/support/address_codes'
import { TestBrowser } from '../external/browser.ts'
import { outcomeOf as landingOf, typeCode, waitingBrowser } from '../oidc/waiting_browser.ts'
import { giveSecondFactor, outcomeOf } from './sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | Mailed links × every state that their user has entered since the mail. The API and the page of a
 | link must agree. A new link adds its column, a new state its row.
 */

const NEW_PASSWORD = 'Another-h0rse!'
const FROM = { ip: '203.0.113.7', userAgent: null }
const HOUR_MS = 3_600_000

type State = (user: User, client: ApiClient) => Promise<unknown>

async function lockByFailures({ email }: User, client: ApiClient) {
  for (let count = 0; count < 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

const STATES: Record<string, State> = {
  'free': async () => {},
  'locked by failures': lockByFailures,
  'locked by an administrator': (user) => lockUser(user.id, Date.now() + HOUR_MS, SYSTEM),
  'disabled': (user) => disableUser(user.id, {}, SYSTEM),
  'verified': (user) => updateUser(user.id, { emailVerified: true }, SYSTEM),
  'unverified': (user) => updateUser(user.id, { emailVerified: false }, SYSTEM),
  'without a password': (user) => user.merge({ password: null }).save(),
  'with a second factor': giveSecondFactor,
  'with another address': (user) => updateUser(user.id, { email: someEmail() }, SYSTEM),
  'deleted': (user) => deleteUser(user.id, SYSTEM),
}

/** Uses a link, and resolves with the outcome. */
type Use = (client: ApiClient, token: string) => Promise<string>

const byApi =
  (path: string, more: object = {}): Use =>
  async (client, token) => {
    const request = client.post(path).header('x-forwarded-for', someAddress())
    return outcomeOf(await request.json({ token, ...more }))
  }

const byPage =
  (path: string, more: object = {}): Use =>
  async (client, token) => {
    const request = client.post(path).header('x-forwarded-for', someAddress())
    const response = await request.form({ token, ...more })
    return String(response.status())
  }

/** Has the link mailed, and resolves with its token. */
async function mailReset({ email }: User) {
  await requestPasswordReset(email, FROM)
  return mailedToken(email, 'password_reset')
}

async function mailVerification({ email }: User) {
  await requestVerificationOfAddress(email)
  return mailedToken(email, 'email_verification')
}

type WaitingBrowser = Awaited<ReturnType<typeof waitingBrowser>>

/** The waiting browsers by link token. A mail is deleted together with its user. */
const waiting = new Map<string, WaitingBrowser & { code: string; link: string }>()

/** Makes a browser whose sign-in to an application waits. Its mail contains a code and a link. */
async function mailAddressCode(user: User) {
  const browser = await waitingBrowser({ user })
  const { code, link } = await mailedCode(user.email)
  const token = new URL(link).searchParams.get('token')!
  waiting.set(token, { ...browser, code, link })
  return token
}

const typeMailedCode: Use = async (_, token) => {
  const { browser, page, code } = waiting.get(token)!
  return landingOf(await typeCode(browser, page, code))
}

const openMailedLink: Use = async (_, token) => {
  const { browser, link } = waiting.get(token)!
  const shown = await browser.open(link)
  return link === shown.url.href ? String(shown.response.status) : landingOf(shown)
}

const addressCode = { isVerified: false, mail: mailAddressCode }

const reset = { isVerified: true, mail: mailReset }
const verification = { isVerified: false, mail: mailVerification }

const LINKS = {
  'a reset': {
    ...reset,
    use: byApi('/auth/reset-password', { newPassword: NEW_PASSWORD }),
  },
  'the page of a reset': { ...reset, use: byPage('/reset-password', { password: NEW_PASSWORD }) },
  'a verification': { ...verification, use: byApi('/auth/verify-email') },
  'the page of a verification': { ...verification, use: byPage('/verify-email') },
  'declining the account': { ...verification, use: byPage('/verify-email/decline') },
  'the code of an address': { ...addressCode, use: typeMailedCode },
  'the link beside the code': { ...addressCode, use: openMailedLink },
  'declining the sign-in': { ...addressCode, use: byPage('/confirm-address/decline') },
}

/** Returns the result of a sign-in after a reset, or whether the address is verified. */
async function leftOf(client: ApiClient, { id }: User, link: string) {
  const user = await User.find(id)
  if (!user) return 'gone'
  if (!link.endsWith('reset')) return user.isEmailVerified ? 'verified' : 'unverified'
  return outcomeOf(await login(client, { email: user.email, password: NEW_PASSWORD }))
}

type Cell = [outcome: string, left: string]

type Row = Record<keyof typeof LINKS, Cell>

const OPEN: Row = {
  'a reset': ['200', '200'],
  'the page of a reset': ['200', '200'],
  'a verification': ['200', 'verified'],
  'the page of a verification': ['200', 'verified'],
  'declining the account': ['200', 'gone'],
  'the code of an address': ['signed in', 'verified'],
  'the link beside the code': ['signed in', 'verified'],
  'declining the sign-in': ['200', 'gone'],
}

const INVALID = '400 E_INVALID_TOKEN'

/** An address that no longer belongs to the user proves nothing and resets nothing. */
const VOID: Row = {
  'a reset': [INVALID, '401 E_INVALID_CREDENTIALS'],
  'the page of a reset': ['404', '401 E_INVALID_CREDENTIALS'],
  'a verification': [INVALID, 'unverified'],
  'the page of a verification': ['404', 'unverified'],
  'declining the account': ['404', 'unverified'],
  'the code of an address': ['waits 422', 'unverified'],
  'the link beside the code': ['404', 'unverified'],
  'declining the sign-in': ['200', 'unverified'],
}

/** The link works, but does not undo what an administrator has done. */
const barred = (signIn: string): Row => ({
  ...OPEN,
  'a reset': ['200', signIn],
  'the page of a reset': ['200', signIn],
  'declining the account': ['404', 'unverified'],
  'declining the sign-in': ['200', 'unverified'],
})

/** The address is verified, but a locked user does not get into the application. */
const CONFIRMED_ONLY = {
  'the code of an address': ['waits 403', 'verified'],
  'the link beside the code': ['waits 403', 'verified'],
} satisfies Partial<Row>

const MATRIX: Record<keyof typeof STATES, Row> = {
  'free': OPEN,
  'locked by failures': { ...OPEN, ...CONFIRMED_ONLY },
  'locked by an administrator': { ...barred('403 E_ACCOUNT_LOCKED'), ...CONFIRMED_ONLY },
  'disabled': {
    ...barred('403 E_ACCOUNT_DISABLED'),
    'the code of an address': ['waits 401', 'unverified'],
    'the link beside the code': ['200', 'unverified'],
  },
  'verified': {
    ...OPEN,
    'declining the account': ['404', 'verified'],
    'declining the sign-in': ['200', 'verified'],
  },
  'unverified': OPEN,
  'without a password': OPEN,
  'with a second factor': {
    ...OPEN,
    'a reset': ['200', '401 E_MFA_REQUIRED'],
    'the page of a reset': ['200', '401 E_MFA_REQUIRED'],
  },
  'with another address': VOID,
  'deleted': {
    'a reset': [INVALID, 'gone'],
    'the page of a reset': ['404', 'gone'],
    'a verification': [INVALID, 'gone'],
    'the page of a verification': ['404', 'gone'],
    'declining the account': ['404', 'gone'],
    'the code of an address': ['waits 401', 'gone'],
    'the link beside the code': ['404', 'gone'],
    'declining the sign-in': ['404', 'gone'],
  },
}

test.group('Matrix | mailed links by state', () => {
  const cells = Object.entries(MATRIX).flatMap(([state, row]) =>
    Object.entries(row).map(([link, [outcome, left]]) => ({ state, link, outcome, left }))
  )

  test('{link} of a user {state}: {outcome}, then {left}')
    .with(cells)
    .run(async ({ client, assert }, { state, link, outcome, left }) => {
      const { isVerified, mail, use } = LINKS[link as keyof typeof LINKS]
      const user = await createUser({ isVerified })
      const token = await mail(user)
      await STATES[state](user, client)
      const answered = await use(client, token)
      assert.deepEqual([answered, await leftOf(client, user, link)], [outcome, left])
    })
})

const RESET = ['password_reset']

/** The mails that a request for a reset on the page leads to. */
const ASKED: Record<keyof typeof STATES, string[]> = {
  'free': RESET,
  'locked by failures': ['account_locked', ...RESET],
  'locked by an administrator': RESET,
  'disabled': [],
  'verified': RESET,
  'unverified': RESET,
  'without a password': RESET,
  'with a second factor': RESET,
  'with another address': ['email_changed'],
  'deleted': ['account_deleted'],
}

/** Returns a page without the parts that are new for each load. */
const withoutNonces = (page: string) => page.replaceAll(/(nonce|value)=(['"])[^'"]*\2/g, '')

test.group('Matrix | forgotten password by state', () => {
  test('the page for a user {state} mails {mails}')
    .with(Object.entries(ASKED).map(([state, mails]) => ({ state, mails })))
    .run(async ({ client, assert }, { state, mails }) => {
      const [user, nobody] = [await createUser(), someEmail()]
      await STATES[state](user, client)
      const ask = async (email: string) => {
        const answer = await new TestBrowser().submit('/forgot-password', { email })
        return answer.text()
      }
      const [answer, other] = [await ask(user.email), await ask(nobody)]
      await deliverMails()
      const sent = await mailFilesOf(user.email)
      assert.deepEqual(
        sent.map(({ kind }) => kind),
        mails
      )
      assert.equal(withoutNonces(answer), withoutNonces(other))
    })
})

const PURPOSES: OneTimePurpose[] = ['password_reset', 'invitation', 'password_change']

const CHOICES = [
  { chosen: 'nothing', body: {}, kept: [1, 1] },
  { chosen: 'the identities', body: { removeIdentities: true }, kept: [0, 1] },
  { chosen: 'the API keys', body: { removeApiKeys: true }, kept: [1, 0] },
  { chosen: 'both', body: { removeIdentities: true, removeApiKeys: true }, kept: [0, 0] },
]

/** A link proves an unproved address. A temporary password removes no other sign-in method. */
const RESETS = PURPOSES.flatMap((purpose) =>
  CHOICES.flatMap(({ kept, ...choice }) => {
    const isMailed = purpose !== 'password_change'
    return [
      { purpose, ...choice, address: 'verified', kept: isMailed ? kept : [1, 1] },
      { purpose, ...choice, address: 'unverified', kept: isMailed ? [0, 0] : [1, 1] },
    ]
  })
)

test.group('Matrix | sign-in methods after a new password', () => {
  test('{purpose} with {chosen} removed, {address}: {kept}')
    .with(RESETS)
    .run(async ({ client, assert }, { purpose, body, address, kept }) => {
      const user = await createUser({ isVerified: address === 'verified' })
      const [userId, subject] = [user.id, randomUUID()]
      await Identity.create({ userId, provider: 'acme', issuer: 'acme', subject })
      await keyOf(user)
      const token = await db.transaction((trx) => issueOneTimeToken(user, { purpose }, trx))
      const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
      const response = await request.json({ token, newPassword: NEW_PASSWORD, ...body })
      response.assertStatus(200)
      const keys = await db.from('api_keys').where('user_id', userId)
      const identities = await Identity.ofUser(userId)
      assert.deepEqual([identities.length, keys.length], kept)
    })
})
