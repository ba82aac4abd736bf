import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import { browserIdOf, DEVICE_COOKIE } from '#auth/devices/browser_id'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { SYSTEM } from '#audit/actor'
import { deleteClient, updateClient } from '#oidc/clients/clients'
import { findGrantOrigin } from '#oidc/records/grant_rows'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import { holdHash } from '#tests/support/held_hash'
import { refreshOf } from '#tests/support/html'
import {
  application,
  authorizationRequest,
  Browser,
  nextOf,
  pushedRequest,
  REDIRECT,
  shownPath,
  type Page,
} from '#tests/support/oidc'
import type User from '#models/user'

/* The sign-in form is the response to an authorization request, and repeats that request. */

const AT_APP = new URL(REDIRECT).origin
const FORM = /^\/sign-in$/

const firstParty = () => application({ kind: 'first_party' })

async function start(parameters: Record<string, string> = {}) {
  const [app, user, browser] = [await firstParty(), await createUser(), new Browser()]
  const { url, checks } = await authorizationRequest(app, parameters)
  return { app, user, browser, url, checks, page: await browser.open(url) }
}

const fieldsOf = ({ email }: User, password = PASSWORD) => ({ email, password })

async function interactions() {
  const rows = await db.from('oauth_records').where({ kind: 'Interaction' })
  return rows.map((row) => row.id_hash as string)
}

test.group('Sign-in form | the answer to a request', () => {
  test('is shown at once and stores nothing', async ({ assert }) => {
    const before = await interactions()
    const { browser, page } = await start()
    assert.equal(page.response.status, 200)
    assert.equal(page.url.pathname, '/oauth/authorize')
    assert.include(page.html, 'To continue to Grafana')
    assert.deepEqual(await interactions(), before)
    assert.notInclude([...browser.cookies.keys()].join(' '), 'interaction')
  })

  test('the right password answers with the page that leads on', async ({ assert }) => {
    const { app, user, browser, checks, page } = await start()
    const response = await browser.send(page, FORM, fieldsOf(user))
    const html = await response.text()
    assert.equal(response.status, 200)
    const answer = new URL(refreshOf(html)!)
    assert.equal(answer.origin, AT_APP)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('the code of the form is redeemed once, however many try', async ({ assert }) => {
    const { app, user, browser, checks, page } = await start()
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const redeemed = await Promise.allSettled(Array.from({ length: 20 }, redeem))
    assert.lengthOf(
      redeemed.filter(({ status }) => status === 'fulfilled'),
      1
    )
  })

  test('the session with the application begins in this browser', async ({ assert }) => {
    const { app, user, browser, checks, page } = await start()
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const began = await findGrantOrigin(String(tokens.claims()!.sid))
    const [web] = await listSessions(user.id).then((all) => all.filter(({ clientId }) => !clientId))
    assert.equal(began?.webSessionId, web.id)
    assert.equal(began?.browserId, browserIdOf(browser.cookies.get(DEVICE_COOKIE)))
  })

  test('both sessions end with a sign-out of all', async ({ assert }) => {
    const { app, user, browser, checks, page } = await start()
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    await endAllSessionsAs(user.id, SYSTEM)
    const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
    await assert.rejects(redeem)
  })

  test('an answer by form_post comes with the request again', async ({ assert }) => {
    const { user, browser, page } = await start({ response_mode: 'form_post' })
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    assert.include(answer.html, `action="${REDIRECT}"`)
    assert.include(answer.html, 'name="code"')
    assert.lengthOf(await listSessions(user.id), 2)
  })

  test('an error of the request goes back to the application', async ({ assert }) => {
    const claims = JSON.stringify({ id_token: { sub: { value: 'another' } } })
    const { user, browser, page } = await start({ claims })
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    assert.equal(answer.url.origin, AT_APP)
    assert.equal(answer.url.searchParams.get('error'), 'login_required')
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('a client deleted while the form is open gets no session', async ({ assert }) => {
    const { app, user, browser, page } = await start()
    await deleteClient(app.client.id, SYSTEM)
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    assert.equal(answer.response.status, 400)
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('an address removed by another process gets no code, {browser}')
    .with([{ browser: 'in a new browser' }, { browser: 'in a known browser' }])
    .run(async ({ assert }, { browser: kind }) => {
      const { app, user, browser, url, page } = await start()
      if (kind === 'in a known browser') await browser.submit(page, FORM, fieldsOf(user))
      for (const name of browser.cookies.keys()) {
        if (name !== DEVICE_COOKIE) browser.cookies.delete(name)
      }
      const form = await browser.open(url)
      const client = db.from('oauth_clients').where('client_id', app.client.clientId)
      await client.update({ redirect_uris: JSON.stringify(['https://other.example.org/']) })
      const answer = await browser.submit(form, FORM, fieldsOf(user))
      assert.equal(answer.response.status, 400)
    })

  test('an address removed while the password is verified gets no code', async ({ assert }) => {
    const { app, user, browser, page } = await start()
    const hash = holdHash('verify', PASSWORD)
    const submitted = browser.submit(page, FORM, fieldsOf(user))
    await hash.begun
    await updateClient(app.client.id, { redirectUris: ['https://other.example.org/'] }, SYSTEM)
    hash.release()
    const answer = await submitted
    assert.equal(answer.response.status, 400)
    const sessions = await listSessions(user.id)
    assert.deepEqual(
      sessions.map(({ clientId }) => clientId),
      [null]
    )
  })

  test('a wrong password leaves the request in the form', async ({ assert }) => {
    const { user, browser, page } = await start()
    const again = await browser.submit(page, FORM, fieldsOf(user, 'Wrong-h0rse!'))
    assert.equal(again.response.status, 401)
    assert.equal(nextOf(again), nextOf(page))
    const answer = await browser.submit(again, FORM, fieldsOf(user))
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('two forms that are open at once lead both on', async ({ assert }) => {
    const [app, user, browser] = [await firstParty(), await createUser(), new Browser()]
    const [one, other] = [await authorizationRequest(app), await authorizationRequest(app)]
    const pages = [await browser.open(one.url), await browser.open(other.url)]
    for (const [index, { checks }] of [one, other].entries()) {
      const answer = await browser.submit(pages[index], FORM, fieldsOf(user))
      const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
      assert.equal(tokens.claims()!.sub, user.id)
    }
  })

  test('speaks the language that the application asks for', async ({ assert }) => {
    const { browser, page, user } = await start({ ui_locales: 'de' })
    assert.include(page.html, 'lang="de"')
    const again = await browser.submit(page, FORM, fieldsOf(user, 'Wrong-h0rse!'))
    assert.include(again.html, 'lang="de"')
  })

  test('a request with {what} is stored, and the form is the answer')
    .with([{ what: 'prompt=login' }, { what: 'prompt=select_account' }, { what: 'max_age=0' }])
    .run(async ({ assert }, { what }) => {
      const { user, browser, page } = await start(Object.fromEntries([what.split('=')]))
      assert.equal(page.response.status, 200)
      assert.equal(shownPath(page), '/sign-in')
      assert.match(nextOf(page)!, /^\/oauth\/interaction\//)
      const answer = await browser.submit(page, FORM, fieldsOf(user))
      assert.isNotNull(answer.url.searchParams.get('code'))
    })

  test('a pushed request is stored, and the form is the answer', async ({ assert }) => {
    const [app, user, browser] = [await firstParty(), await createUser(), new Browser()]
    const { url } = await pushedRequest(app)
    const page = await browser.open(url)
    assert.equal(shownPath(page), '/sign-in')
    assert.match(nextOf(page)!, /^\/oauth\/interaction\//)
    const answer = await browser.submit(page, FORM, fieldsOf(user))
    assert.isNotNull(answer.url.searchParams.get('code'))
  })
})

test.group('Sign-in form | a forged request', () => {
  const pageWith = (next: string) =>
    new Browser().open(`${settings.issuer}/sign-in?${new URLSearchParams({ next })}`)

  test('with a foreign redirect address names no application', async ({ assert }) => {
    const { client } = await firstParty()
    const forged = { client_id: client.clientId, redirect_uri: 'https://evil.example/' }
    const page = await pageWith(`/oauth/authorize?${new URLSearchParams(forged)}`)
    assert.equal(page.response.status, 200)
    assert.notInclude(page.html, 'To continue to')
  })

  test('of an unknown client names no application', async ({ assert }) => {
    const forged = { client_id: 'made up', redirect_uri: REDIRECT }
    const page = await pageWith(`/oauth/authorize?${new URLSearchParams(forged)}`)
    assert.notInclude(page.html, 'To continue to')
  })

  test('is refused after the sign-in', async ({ assert }) => {
    const [{ client }, user, browser] = [await firstParty(), await createUser(), new Browser()]
    const forged = { client_id: client.clientId, redirect_uri: 'https://evil.example/' }
    const next = `/oauth/authorize?${new URLSearchParams(forged)}`
    const path = `${settings.issuer}/sign-in?${new URLSearchParams({ next })}`
    const answer: Page = await browser.submit(await browser.open(path), FORM, fieldsOf(user))
    assert.equal(answer.url.origin, new URL(settings.issuer).origin)
    assert.equal(answer.response.status, 400)
  })
})
