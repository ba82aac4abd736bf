import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createUser, login, signedIn, someEmail } from '#tests/fixtures'
import type { ApiClient, ApiResponse } from '@japa/api-client'

const WRONG = 'Wrong-h0rse!'

async function lockOut(client: ApiClient, email: string) {
  for (let count = 1; count <= 5; count++) await login(client, { email, password: WRONG })
}

/** An answer without the parts that differ at each request. */
function shown(response: ApiResponse) {
  const isStable = ([name]: [string, unknown]) =>
    !['requestId', 'x-request-id', 'date'].includes(name)
  const known = (entries: object) => Object.fromEntries(Object.entries(entries).filter(isStable))
  return {
    status: response.status(),
    body: known(response.body()),
    headers: known(response.headers()),
  }
}

test.group('Lockout | lock', () => {
  test('the right password is refused during a lock', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    const response = await login(client, { email: user.email })
    response.assertStatus(403)
    assert.equal(response.body().message, 'Account locked due to multiple failed attempts')
  })

  test('further attempts do not extend a lock', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    const { lockedUntil } = await user.refresh()
    await login(client, { email: user.email, password: WRONG })
    await user.refresh()
    assert.equal(user.lockedUntil!.toMillis(), lockedUntil!.toMillis())
  })

  test('a lock leaves live sessions and refresh working', async ({ client }) => {
    const user = await createUser()
    const session = await signedIn(client, user)
    await lockOut(client, user.email)
    const profile = await client.get('/auth/profile').headers(session.headers)
    profile.assertStatus(200)
    const refresh = await client.post('/auth/refresh').json({ refreshToken: session.refreshToken })
    refresh.assertStatus(200)
  })

  test('a lock is stored with user and trail', async ({ client, assert }) => {
    const user = await createUser()
    freezeTime()
    await lockOut(client, user.email)
    await user.refresh()
    assert.equal(user.lockedUntil!.toMillis(), Date.now() + 1_800_000)
    const events = await db.from('audit_events').where('target_id', user.id).orderBy('sequence')
    assert.deepEqual(
      events.map((event) => event.action),
      [...Array(4).fill('login.failed'), 'account.locked']
    )
  })
})

test.group('Lockout | unknown e-mails', () => {
  test('unknown addresses are answered like known ones', async ({ client, assert }) => {
    const { email: known } = await createUser()
    const unknown = someEmail()
    freezeTime()
    for (let count = 1; count <= 7; count++) {
      const answers = await Promise.all(
        [known, unknown].map((email) => login(client, { email, password: WRONG }))
      )
      const [first, second] = answers.map(shown)
      assert.deepEqual(first, second)
    }
  })
})

test.group('Lockout | parallel guessing', () => {
  test('five of sixty parallel guesses are evaluated', async ({ client, assert }) => {
    const user = await createUser()
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => login(client, { email: user.email, password: WRONG }))
    )
    const evaluated = answers.filter((answer) => answer.status() === 401)
    assert.isAtMost(evaluated.length, 4)
    const failures = await db
      .from('audit_events')
      .where('target_id', user.id)
      .whereIn('action', ['login.failed', 'account.locked'])
    assert.isAtMost(failures.length, 5)
    assert.isTrue(answers.every((answer) => [401, 403, 429, 503].includes(answer.status())))
  })
})
