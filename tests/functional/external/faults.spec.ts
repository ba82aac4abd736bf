import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import settings from '#config/external'
import { endWindows } from '#audit/trail/end_coalescing'
import { growthOf } from '#tests/support/metrics'
import { createUser, someEmail } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { HostileProvider, type Behaviour } from '#tests/servers/hostile_provider'
import { TestBrowser } from './browser.ts'

/** The claims of a person who has not signed in before. */
const someone = () => ({ sub: randomUUID(), email: someEmail() })

test.group('External login | faults of a provider', (group) => {
  const hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  const { discoveryTtlMs } = settings
  group.setup(() => hostile.start())
  group.teardown(() => hostile.stop() as Promise<void>)
  group.each.setup(async () => {
    hostile.behaviour = {}
    await db.from('audit_floods').delete()
  })
  group.each.teardown(() => {
    settings.discoveryTtlMs = discoveryTtlMs
  })

  async function comeBack(behaviour: Behaviour = {}) {
    hostile.behaviour = behaviour
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf('hostile'))
    return { status: response.status, body: (await response.json()) as any }
  }

  /** Ordered by id: the previous test may have recorded an event in the same millisecond. */
  async function newestEvent(): Promise<string> {
    const event = await db.from('audit_events').orderBy('id', 'desc').first()
    return event?.id ?? '00000000-0000-0000-0000-000000000000'
  }

  /** Returns the events of refused external logins that follow another event. */
  async function refusedSince(newest: string) {
    const events = await db
      .from('audit_events')
      .where({ action: 'login.refused', actor: 'anonymous' })
      .whereNull('target_id')
      .where('id', '>', newest)
      .orderBy('id')
    return events.map(({ outcome, details }) => ({ outcome, ...JSON.parse(details) }))
  }

  /** Returns the warnings that are logged while a step runs. */
  async function logged(step: () => Promise<unknown>) {
    const lines: unknown[] = []
    const { warn } = logger
    logger.warn = ((...line: unknown[]) => lines.push(line)) as any
    try {
      await step()
    } finally {
      logger.warn = warn
    }
    return JSON.stringify(lines)
  }

  test('a state works once though its code works twice', async ({ assert }) => {
    const claims = { ...someone(), email_verified: true }
    hostile.behaviour = { acceptsCodesTwice: true, claims }
    const browser = new TestBrowser()
    const callback = await browser.callbackOf('hostile')
    const [twin, copied] = [browser.copy(), browser.copy()]
    const answers = await Promise.all([browser.request(callback), twin.request(callback)])
    const later = await copied.request(callback)
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual([...statuses, later.status], [200, 400, 400])
  })

  test('discovery that is a page answers 502', async ({ assert }) => {
    settings.discoveryTtlMs = -1
    hostile.behaviour = { discovery: 'html' }
    const response = await new TestBrowser().request('/auth/external/hostile')
    const body: any = await response.json()
    assert.equal(response.status, 502)
    assert.equal(body.code, 'E_PROVIDER_FAILED')
  })

  test('a token answer that is a page gets 502', async ({ assert }) => {
    const { status, body } = await comeBack({ instead: 'html' })
    assert.equal(status, 502)
    assert.equal(body.code, 'E_PROVIDER_FAILED')
  })

  test('name and picture of the user info are kept', async ({ assert }) => {
    const claims = { ...someone(), email_verified: true, name: undefined }
    const userInfo = { name: 'Ada of the info', picture: 'https://info.example/ada.png' }
    await comeBack({ claims, userInfo })
    const user = await User.findByOrFail('email', claims.email)
    assert.containsSubset(user.serialize(), { username: userInfo.name, avatar: userInfo.picture })
  })

  test('the user info verifies no address of the token', async ({ assert }) => {
    const claims = { ...someone(), email_verified: false }
    const userInfo = { email: someEmail(), email_verified: true }
    await comeBack({ claims, userInfo })
    const user = await User.findByOrFail('email', claims.email)
    assert.isFalse(user.isEmailVerified)
  })

  test('a failing user info takes name and picture only', async ({ assert }) => {
    const claims = { ...someone(), email_verified: true }
    const { status } = await comeBack({ claims, userInfo: 500 })
    const user = await User.findByOrFail('email', claims.email)
    assert.equal(status, 200)
    assert.isNull(user.avatar)
  })

  test('the log says why and quotes no body', async ({ assert }) => {
    const forged = await logged(() => comeBack({ signature: 'foreign', claims: {} }))
    const page = await logged(() => comeBack({ instead: 'html' }))
    assert.match(
      forged,
      /"provider":"hostile","code":"E_EXTERNAL_LOGIN_FAILED","reasons":\["OAUTH_/
    )
    assert.include(page, 'OAUTH_RESPONSE_IS_NOT_JSON')
    assert.notMatch(forged + page, /secret|eyJ/)
  })

  test('the trail has the first forged token', async ({ assert }) => {
    const newest = await newestEvent()
    for (let time = 0; time < 3; time++) await comeBack({ claims: { nonce: 'replayed' } })
    assert.deepEqual(await refusedSince(newest), [
      {
        outcome: 'failure',
        method: 'hostile',
        reason: 'unverified_answer',
        cause: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      },
    ])
  })

  test('the trail has the first foreign state', async ({ assert }) => {
    const newest = await newestEvent()
    const callback = await new TestBrowser().callbackOf('hostile')
    const stranger = new TestBrowser()
    await Promise.all([callback, callback, callback].map((url) => stranger.request(url)))
    assert.deepEqual(await refusedSince(newest), [
      { outcome: 'failure', method: 'hostile', reason: 'state' },
    ])
  })

  test('the trail counts the later ones of a flood', async ({ assert }) => {
    const newest = await newestEvent()
    for (let time = 0; time < 3; time++) await comeBack({ signature: 'foreign' })
    await endWindows(Date.now() + 3_600_000)
    const [first, later] = await refusedSince(newest)
    assert.notProperty(first, 'count')
    assert.containsSubset(later, { reason: 'unverified_answer', count: 2 })
  })

  test('a claimed address is an event of its user', async ({ assert }) => {
    const newest = await newestEvent()
    const user = await createUser({ isVerified: true })
    const claims = { ...someone(), email: user.email, email_verified: false }
    const { status } = await comeBack({ claims })
    const [event] = await recordsWhere({ target_id: user.id })
    assert.equal(status, 409)
    assert.equal(event.action, 'login.refused')
    assert.containsSubset(event.details, { reason: 'identity_conflict' })
    assert.lengthOf(await refusedSince(newest), 0)
  })

  test('an identity without address is recorded', async ({ assert }) => {
    const newest = await newestEvent()
    const { status } = await comeBack({ claims: { ...someone(), email: undefined } })
    assert.equal(status, 400)
    assert.containsSubset(await refusedSince(newest), [{ reason: 'email_missing' }])
  })

  test('the log says which answer was not read', async ({ assert }) => {
    const down = await logged(() => comeBack({ instead: 'error' }))
    const huge = await logged(() => comeBack({ instead: 'huge' }))
    assert.match(down, /"E_PROVIDER_FAILED","STATUS_5\d\d"/)
    assert.include(huge, '"E_PROVIDER_FAILED","ANSWER_TOO_LARGE"')
  })

  test('an unknown provider leaves no event', async ({ assert }) => {
    const newest = await newestEvent()
    await new TestBrowser().request('/auth/external/nobody/callback?state=x&code=y')
    assert.lengthOf(await refusedSince(newest), 0)
  })

  test('a broken provider is counted as unavailable', async ({ assert }) => {
    const series = 'gatehouse_logins_total{method="external",outcome="unavailable"}'
    assert.equal(await growthOf(series, () => comeBack({ instead: 'error' })), 1)
  })

  test('a broken provider is no refused login', async ({ assert }) => {
    const newest = await newestEvent()
    await comeBack({ instead: 'error' })
    assert.lengthOf(await refusedSince(newest), 0)
  })
})
