import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import * as oidc from 'openid-client'
import limits from '#config/limits'
import settings from '#config/oidc'
import { DatabaseAdapter } from '#oidc/provider/adapter'
import { createUser } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  nextOf,
  REDIRECT,
} from '#tests/support/oidc'
import { post, PUBLIC } from './attacker.ts'
import type { Page } from '#tests/support/oidc'

/* What a client, which anybody can name, makes the server store before a user has signed in. */

const INTERACTION = /^\/oauth\/interaction\//
const allow = (browser: Browser, page: Page) =>
  browser.submit(page, INTERACTION, { decision: 'allow' })

/** Other requests are repeated by the form, and nothing is stored for them. */
const STORED = { prompt: 'login' }

const rowsOf = (kind: string) => db.from('oauth_records').where({ kind })

/** Opens the consent page in a browser, and returns it with the request that led there. */
async function consentPage() {
  const [app, user] = [await application(), await createUser()]
  const browser = await browserOf(user)
  const { url, checks } = await authorizationRequest(app)
  return { app, user, browser, checks, page: await browser.open(url) }
}

test.group('Open authorization | size', () => {
  test('a payload of {size} bytes is stored: {isStored}')
    .with([
      { size: 4_095, isStored: true },
      { size: 4_096, isStored: true },
      { size: 4_097, isStored: false },
    ])
    .run(async ({ assert }, { size, isStored }) => {
      const request = 'x'.repeat(size - JSON.stringify({ request: '' }).length)
      const adapter = new DatabaseAdapter('PushedAuthorizationRequest')
      const stored = adapter.upsert(`size-${size}`, { request }, 60)
      if (isStored) await assert.doesNotReject(() => stored)
      else await assert.rejects(() => stored, 'invalid_request')
    })

  test('an application that asks with more gets an error', async ({ assert }) => {
    const { url } = await authorizationRequest(await application(), { state: 'x'.repeat(4_000) })
    const answer = await new Browser().open(url)
    assert.equal(answer.url.origin, new URL(REDIRECT).origin)
    assert.equal(answer.url.searchParams.get('error'), 'invalid_request')
  })

  test('a parameter is stored once', async ({ assert }) => {
    const length = async (size: number) => {
      await rowsOf('Interaction').delete()
      const parameters = { prompt: 'login', login_hint: 'x'.repeat(size) }
      const { url } = await authorizationRequest(await application(), parameters)
      await new Browser().open(url)
      const [row] = await rowsOf('Interaction')
      return row.payload.length as number
    }
    const added = (await length(1_500)) - (await length(1))
    assert.isBelow(added, 1_500 * 1.5)
  })
})

test.group('Open authorization | number', (group) => {
  const { openAuthorizations } = limits
  group.each.setup(async () => {
    await rowsOf('Interaction').delete()
    limits.openAuthorizations = 3
    return () => void (limits.openAuthorizations = openAuthorizations)
  })

  test('of {started} interactions {left} are kept')
    .with([
      { started: 2, left: 2 },
      { started: 3, left: 3 },
      { started: 4, left: 3 },
    ])
    .run(async ({ assert }, { started, left }) => {
      freezeTime()
      const { url } = await authorizationRequest(await application(), STORED)
      const browsers = Array.from({ length: started }, () => new Browser())
      for (const browser of browsers) {
        timeTravel(1_000)
        await browser.open(url)
      }
      assert.lengthOf(await rowsOf('Interaction'), left)
    })

  test('the oldest interaction goes, the newest goes on', async ({ assert }) => {
    freezeTime()
    const { url } = await authorizationRequest(await application({ kind: 'first_party' }), STORED)
    const pages: Page[] = []
    const browsers = Array.from({ length: 4 }, () => new Browser())
    for (const browser of browsers) {
      timeTravel(1_000)
      pages.push(await browser.open(url))
    }
    const pathOf = (page: Page) => settings.issuer + nextOf(page)
    const [oldest, newest] = [pathOf(pages[0]), pathOf(pages[3])]
    const gone = await browsers[0].open(oldest)
    const waiting = await browsers[3].open(newest)
    assert.equal(gone.response.status, 404)
    assert.equal(waiting.url.pathname, '/sign-in')
  })

  test('pushed requests are bounded, too', async ({ assert }) => {
    await rowsOf('PushedAuthorizationRequest').delete()
    const app = await application(PUBLIC)
    const { url } = await authorizationRequest(app)
    const push = () => post('/oauth/par', Object.fromEntries(url.searchParams))
    for (let count = 1; count <= 4; count++) await push()
    assert.lengthOf(await rowsOf('PushedAuthorizationRequest'), 3)
  })
})

test.group('Open authorization | resumed', () => {
  const resumptionOf = ({ url }: Page) =>
    `${settings.issuer}${url.pathname.replace('interaction', 'authorize')}`

  test('of ten resumptions at once one gets a code', async ({ assert }) => {
    const { browser, page } = await consentPage()
    await browser.send(page, INTERACTION, { decision: 'allow' })
    const resume = () => browser.request(resumptionOf(page))
    const responses = await Promise.all(Array.from({ length: 10 }, resume))
    const codes = responses.filter((each) => each.headers.get('location')?.includes('code='))
    assert.lengthOf(codes, 1)
  })

  test('one that is resumed unanswered makes one other', async ({ assert }) => {
    const { browser, page } = await consentPage()
    const before = await rowsOf('Interaction')
    const resume = () => browser.request(resumptionOf(page))
    await Promise.all(Array.from({ length: 10 }, resume))
    const after = await rowsOf('Interaction')
    assert.lengthOf(after, before.length)
  })

  test('resumption {number} of an address is answered {status}')
    .with([
      { number: 2, status: 400 },
      { number: 3, status: 400 },
      { number: 4, status: 429 },
    ])
    .run(async ({ assert }, { number, status }) => {
      setLimit(limits.authorization, 3)
      const browser = new Browser()
      let response!: Response
      for (let count = 1; count <= number; count++) {
        response = await browser.request(`${settings.issuer}/oauth/authorize/unknown`)
      }
      assert.equal(response.status, status)
    })
})

test.group('Open authorization | answered', () => {
  const consentsOf = (targetId: string) =>
    db.from('audit_events').where({ action: 'application.consented', target_id: targetId })

  test('a consent that is sent again does nothing', async ({ assert }) => {
    const { app, user, browser, page, checks } = await consentPage()
    await browser.send(page, INTERACTION, { decision: 'allow' })
    await browser.send(page, INTERACTION, { decision: 'allow' })
    const answer = await allow(browser, page)
    assert.lengthOf(await consentsOf(user.id), 1)
    await assert.doesNotReject(() => oidc.authorizationCodeGrant(app.config, answer.url, checks))
  })

  test('of a consent and a refusal the first counts', async ({ assert }) => {
    const { user, browser, page } = await consentPage()
    const refused = await browser.submit(page, INTERACTION, { decision: 'refuse' })
    await allow(browser, page)
    assert.equal(refused.url.searchParams.get('error'), 'access_denied')
    assert.lengthOf(await consentsOf(user.id), 0)
  })

  test('what was allowed before is no event again', async ({ assert }) => {
    const app = await application()
    const user = await createUser()
    const browser = await browserOf(user)
    for (let count = 1; count <= 2; count++) {
      const { url } = await authorizationRequest(app, { prompt: 'consent' })
      await allow(browser, await browser.open(url))
    }
    assert.lengthOf(await consentsOf(user.id), 1)
  })

  test('consent {number} of a user in a quarter of an hour is answered {status}')
    .with([
      { number: 2, status: 200 },
      { number: 3, status: 200 },
      { number: 4, status: 429 },
    ])
    .run(async ({ assert }, { number, status }) => {
      setLimit(limits.profileChange, 3)
      const { browser, page } = await consentPage()
      let response!: Response
      for (let count = 1; count <= number; count++) {
        response = await browser.send(page, INTERACTION, { decision: 'allow' })
      }
      assert.equal(response.status, status)
    })
})
