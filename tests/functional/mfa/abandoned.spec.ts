import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import { pruneExpired } from '#maintenance/prune_expired'
import { signIn } from '#auth/sign_in/sign_in'
import { closeChallenges } from '#auth/mfa/challenge'
import { createUser, login, PASSWORD, someAddress } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, mailsTo } from '#tests/support/mail'
import { recordsWhere } from '#tests/support/trail'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

const HOUR_MS = 3_600_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

/** Makes a user whose password is known to a stranger, with the current code. Stops the clock. */
async function enrolled() {
  const user = await createUser()
  const code = await giveSecondFactor(user)
  return { user, code }
}

async function challenge(client: ApiClient, { email }: User, address = someAddress()) {
  const response = await login(client, { email, address, userAgent: FIREFOX })
  return response.body().mfaToken as string
}

const expiry = () => Date.now() + settings.challengeTtlMs

function eventsOf({ id }: User) {
  return recordsWhere({ target_id: id, action: 'login.abandoned' })
}

interface Answer {
  user: User
  code: string
  address: string
  mfaToken?: string
}

async function verify(client: ApiClient, { code, address, mfaToken }: Answer) {
  const request = client.post('/auth/mfa/verify').header('x-forwarded-for', address)
  const response = await request.json({ mfaToken, code })
  response.assertStatus(200)
}

async function signInAtOnce(client: ApiClient, { user, code, address }: Answer) {
  const request = client.post('/auth/login').header('x-forwarded-for', address)
  const response = await request.json({ email: user.email, password: PASSWORD, code })
  response.assertStatus(200)
}

function remove(_: ApiClient, { user }: Answer) {
  return db.transaction((trx) => closeChallenges(user.id, {}, trx))
}

test.group('Abandoned challenge', () => {
  test('the owner hears of it when it expires', async ({ client, assert }) => {
    const { user } = await enrolled()
    const address = someAddress()
    await challenge(client, user, address)
    await pruneExpired(expiry() - 1)
    assert.lengthOf(await mailsTo(user.email), 0)
    await pruneExpired(expiry())
    const [event] = await eventsOf(user)
    const from = { actor: 'anonymous', outcome: 'failure', ip: address, userAgent: FIREFOX }
    assert.containSubset(event, from)
    await deliverMails()
    const [mail] = await mailFilesOf(user.email)
    assert.equal(mail.kind, 'sign_in_abandoned')
    assert.include(mail.text, address)
    assert.include(mail.text, 'Firefox on Linux')
  })

  test('several are found once by several processes', async ({ client, assert }) => {
    const { user } = await enrolled()
    await challenge(client, user)
    await challenge(client, user)
    await Promise.all([1, 2, 3].map(() => pruneExpired(expiry())))
    assert.lengthOf(await eventsOf(user), 1)
    assert.lengthOf(await mailsTo(user.email), 1)
  })

  test('another {hours} hours later makes {count}')
    .with([
      { hours: 23, count: 1 },
      { hours: 24, count: 2 },
    ])
    .run(async ({ client, assert }, { hours, count }) => {
      const { user } = await enrolled()
      await challenge(client, user)
      await pruneExpired(expiry())
      await challenge(client, user)
      await pruneExpired(expiry() + hours * HOUR_MS)
      assert.lengthOf(await eventsOf(user), count)
      assert.lengthOf(await mailsTo(user.email), count)
    })

  test('a challenge that {end} is not abandoned')
    .with([
      { end: 'starts a session', answer: verify },
      { end: 'is followed by password and code', answer: signInAtOnce },
      { end: 'ends with the second factor', answer: remove },
    ])
    .run(async ({ client, assert }, { answer }) => {
      const { user, code } = await enrolled()
      const address = someAddress()
      const mfaToken = await challenge(client, user, address)
      await answer(client, { user, code, address, mfaToken })
      await pruneExpired(expiry())
      assert.lengthOf(await eventsOf(user), 0)
    })

  test('a wrong code beside the password is told', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    const address = someAddress()
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const body = { email: user.email, password: PASSWORD, code: wrong }
    const refused = await client.post('/auth/login').header('x-forwarded-for', address).json(body)
    refused.assertStatus(401)
    await pruneExpired(expiry())
    const [event] = await eventsOf(user)
    assert.equal(event.ip, address)
    assert.lengthOf(await mailsTo(user.email), 1)
  })

  test('a right code beside the password is not', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    await signInAtOnce(client, { user, code, address: someAddress() })
    assert.lengthOf(await db.from('mfa_challenges').where('user_id', user.id), 0)
  })

  test('pages ask for the code first', async ({ assert }) => {
    const { user, code } = await enrolled()
    const device = { id: 'default', ip: someAddress(), userAgent: null, client: 'web' as const }
    const first = { email: user.email, password: PASSWORD, device }
    const { outcome } = await signIn(first)
    assert.equal(outcome, 'mfa_required')
    await pruneExpired(expiry())
    assert.lengthOf(await eventsOf(user), 1)
    const complete = await signIn({ ...first, code })
    assert.equal(complete.outcome, 'signed_in')
  })

  test('a sign-in of the owner hides no stranger', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    const [stranger, address] = [someAddress(), someAddress()]
    await challenge(client, user, stranger)
    await signInAtOnce(client, { user, code, address })
    await pruneExpired(expiry())
    const [event] = await eventsOf(user)
    assert.equal(event.ip, stranger)
  })
})
