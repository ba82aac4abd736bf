import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { endSessions } from '#auth/sessions/sessions'
import { refusalRecords } from '#oidc/refusals/list_refusals'
import { confirmByLink, findAddressLink } from '#users/address_links'
import { updateUser } from '#users/update_user'
import { countCodeMails, mailedCode, otherThan } from '#tests/support/address_codes'
import { createAdmin, createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { setLimit } from '#tests/support/limits'
import { mailFilesOf } from '#tests/support/mail'
import { application, authorizationRequest, Browser, browserOf } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import { someNetwork } from '#tests/support/users'
import {
  CHANGE,
  LEAVE,
  outcomeOf,
  RESEND,
  typeCode,
  waitingBrowser,
  waitingDevice,
} from './waiting_browser.ts'

const GOOD_MS = 600_000

test.group('Verified address | the page', () => {
  test('waits after the sign-in, names both and mails a code', async ({ assert }) => {
    const user = await createUser({ isVerified: false })
    const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
    const browser = new Browser()
    const signIn = await browser.open(url)
    const sent = { email: user.email, password: PASSWORD }
    const page = await browser.submit(signIn, /^\/sign-in$/, sent)
    assert.equal(outcomeOf(page), 'waits 200')
    assert.include(page.html, 'Confirm your address to go on to Grafana')
    assert.include(page.html, `<strong>${user.email}</strong>`)
    assert.include(page.html, 'Ask your administrator')
    assert.equal(await countCodeMails(user.email), 1)
    const { mail } = await mailedCode(user.email)
    assert.match(mail!.text, /Application: Grafana/)
    assert.match(mail!.text, /Device: Chrome on Linux/)
  })

  test('goes on with the code, and the address is verified', async ({ assert }) => {
    const { user, app, browser, page, checks } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    const answer = await typeCode(browser, page, ` ${code.slice(0, 3)} ${code.slice(3)}`)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    assert.isTrue(tokens.claims()!.email_verified)
    const [event] = await recordsWhere({ target_id: user.id, action: 'email.verified' })
    assert.equal(event.actorId, user.id)
    const { url } = await authorizationRequest(app)
    assert.equal(outcomeOf(await browser.open(url)), 'signed in')
  })

  test('sends no second mail within ten minutes: {ms} ms')
    .with([
      { ms: GOOD_MS - 1, mails: 1 },
      { ms: GOOD_MS, mails: 2 },
      { ms: GOOD_MS + 1, mails: 2 },
    ])
    .run(async ({ assert }, { ms, mails }) => {
      freezeTime()
      const { user, app, browser } = await waitingBrowser()
      await countCodeMails(user.email)
      timeTravel(ms)
      const { url } = await authorizationRequest(app)
      await Promise.all(Array.from({ length: 4 }, () => browser.open(url)))
      assert.equal(await countCodeMails(user.email), mails)
    })

  test('keeps the code of a sign-in that starts again here', async ({ assert }) => {
    const { user, app, browser } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    const { url } = await authorizationRequest(app)
    const page = await browser.open(url)
    const answer = await typeCode(browser, page, code)
    assert.equal(outcomeOf(answer), 'signed in')
  })

  test('goes on once an administrator marked it as verified', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    await updateUser(user.id, { emailVerified: true }, SYSTEM)
    const answer = await browser.open(page.url)
    assert.equal(outcomeOf(answer), 'signed in')
  })

  test('leads back to the application without it', async ({ assert }) => {
    const { browser, page } = await waitingBrowser()
    const answer = await browser.submit(page, LEAVE, { decision: 'refuse' })
    assert.equal(outcomeOf(answer), 'access_denied')
  })

  test('is listed for administrators while mails are files', async ({ assert }) => {
    const { user, app } = await waitingBrowser()
    const [refusal] = await refusalRecords(app.client)
    assert.containsSubset(refusal, {
      reason: 'email_unverified',
      sent: user.id,
      setting: 'requireVerifiedEmail',
    })
  })

  test('is no page of another browser', async ({ assert }) => {
    const { user, page } = await waitingBrowser()
    const other = await browserOf(user)
    const answer = await other.open(page.url)
    assert.equal(answer.response.status, 404)
  })
})

test.group('Verified address | what the console says of access', () => {
  const TEXT = 'The address of the account is not verified.'
  const FROM_EMAIL = { claims: { login: 'email' } }

  test('a client with {what}: {isAsked}')
    .with([
      { what: 'the scope', given: { scopes: ['openid', 'email'] }, isAsked: true },
      { what: 'a claim from it', given: { scopes: ['openid'], ...FROM_EMAIL }, isAsked: true },
      { what: 'neither', given: { scopes: ['openid'] }, isAsked: false },
      {
        what: 'no need of it',
        given: { ...FROM_EMAIL, requireVerifiedEmail: false },
        isAsked: false,
      },
    ])
    .run(async ({ assert }, { given, isAsked }) => {
      const [admin, user] = [await createAdmin(), await createUser({ isVerified: false })]
      const { client } = await application({ kind: 'first_party', ...(given as object) })
      const browser = await browserOf(admin)
      const path = `/admin/clients/${client.id}/access?user=${user.id}`
      const { html } = await browser.open(new URL(path, browser.issuer))
      assert.include(html, user.email)
      assert.equal(html.includes(TEXT), isAsked)
    })
})

test.group('Verified address | who is asked', () => {
  async function outcomeFor(settings: object, parameters = {}, isVerified = false) {
    const browser = await browserOf(await createUser({ isVerified }))
    const app = await application({ kind: 'first_party', ...settings })
    const { url } = await authorizationRequest(app, parameters)
    return outcomeOf(await browser.open(url))
  }

  test('no client that does not ask for it', async ({ assert }) => {
    assert.equal(await outcomeFor({ requireVerifiedEmail: false }), 'signed in')
  })

  test('no request without the scope', async ({ assert }) => {
    assert.equal(await outcomeFor({}, { scope: 'openid profile' }), 'signed in')
    assert.equal(await outcomeFor({ scopes: ['openid'] }), 'signed in')
  })

  test('a request without the scope if a claim has the address', async ({ assert }) => {
    const claims = { mail: 'email' }
    assert.equal(await outcomeFor({ claims }, { scope: 'openid' }), 'waits 200')
    assert.equal(await outcomeFor({ claims }, { scope: 'openid' }, true), 'signed in')
    assert.equal(await outcomeFor({ claims: { uid: 'id' } }, { scope: 'openid' }), 'signed in')
  })

  test('no user whose address is verified', async ({ assert }) => {
    assert.equal(await outcomeFor({}, {}, true), 'signed in')
  })

  test('prompt=none is answered interaction_required', async ({ assert }) => {
    assert.equal(await outcomeFor({}, { prompt: 'none' }), 'interaction_required')
  })

  test('before the consent of a third party', async ({ assert }) => {
    const app = await application()
    const { user, browser, page } = await waitingBrowser({ app })
    const { code } = await mailedCode(user.email)
    const consent = await typeCode(browser, page, code)
    assert.include(consent.html, 'value="allow"')
    const answer = await browser.submit(consent, LEAVE, { decision: 'allow' })
    assert.equal(outcomeOf(answer), 'signed in')
  })
})

test.group('Verified address | the code', () => {
  test('is refused after five wrong ones', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    let shown = page
    for (let wrong = 1; wrong <= 5; wrong++) {
      shown = await typeCode(browser, shown, otherThan(code))
      assert.equal(outcomeOf(shown), 'waits 422')
    }
    const answer = await typeCode(browser, shown, code)
    assert.equal(outcomeOf(answer), 'waits 422')
    assert.include(answer.html, 'no longer works')
    await user.refresh()
    assert.isFalse(user.isEmailVerified)
  })

  test('counts tries at once: five of twelve', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    const tries = Array.from({ length: 12 }, () => typeCode(browser, page, otherThan(code)))
    const answers = await Promise.all(tries)
    const compared = answers.filter(({ html }) => html.includes('not the code of the newest'))
    assert.lengthOf(compared, 4)
    assert.equal(outcomeOf(await typeCode(browser, page, code)), 'waits 422')
  })

  test('works for ten minutes: {ms} ms')
    .with([
      { ms: GOOD_MS - 1, outcome: 'signed in' },
      { ms: GOOD_MS, outcome: 'waits 422' },
      { ms: GOOD_MS + 1, outcome: 'waits 422' },
    ])
    .run(async ({ assert }, { ms, outcome }) => {
      freezeTime()
      const { user, browser, page } = await waitingBrowser()
      const { code } = await mailedCode(user.email)
      timeTravel(ms)
      assert.equal(outcomeOf(await typeCode(browser, page, code)), outcome)
    })

  test('goes on once however often it is sent', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    await Promise.all([1, 2, 3].map(() => typeCode(browser, page, code)))
    const events = await recordsWhere({ target_id: user.id, action: 'email.verified' })
    assert.lengthOf(events, 1)
  })

  test('works in no other browser and for no other application', async ({ assert }) => {
    const first = await waitingBrowser()
    const { code } = await mailedCode(first.user.email)
    const elsewhere = await waitingBrowser({ user: first.user, app: first.app })
    const there = await typeCode(elsewhere.browser, elsewhere.page, code)
    assert.equal(outcomeOf(there), 'waits 422')
    const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
    const other = await first.browser.open(url)
    assert.equal(outcomeOf(await typeCode(first.browser, other, code)), 'waits 422')
  })

  test('is stored as a keyed hash alone', async ({ assert }) => {
    const { user } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    const rows = await db.from('address_codes').where('user_id', user.id)
    const mails = await db.from('mails').where('user_id', user.id)
    assert.lengthOf(rows, 1)
    assert.notInclude(JSON.stringify([rows, mails]), code)
  })

  test('the newest replaces the one before', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const first = await mailedCode(user.email)
    const shown = await browser.submit(page, RESEND)
    assert.include(shown.html, 'We are sending another e-mail')
    const second = await mailedCode(user.email)
    assert.equal(await countCodeMails(user.email), 2)
    if (first.code !== second.code) {
      assert.equal(outcomeOf(await typeCode(browser, shown, first.code)), 'waits 422')
    }
    assert.equal(outcomeOf(await typeCode(browser, shown, second.code)), 'signed in')
  })
})

test.group('Verified address | another address', () => {
  test('gets the code, and is the address of the account then', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const email = someEmail()
    const shown = await browser.submit(page, CHANGE, { email })
    assert.include(shown.html, `<strong>${email}</strong>`)
    const { code } = await mailedCode(email)
    const kinds = await mailFilesOf(email)
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['address_code']
    )
    assert.equal(outcomeOf(await typeCode(browser, shown, code)), 'signed in')
    await user.refresh()
    assert.deepEqual([user.email, user.isEmailVerified], [email, true])
  })

  test('voids the code to the address before', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { code } = await mailedCode(user.email)
    const shown = await browser.submit(page, CHANGE, { email: someEmail() })
    assert.equal(outcomeOf(await typeCode(browser, shown, code)), 'waits 422')
  })

  test('that is taken looks the same, and its owner is told', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const owner = await createUser()
    const shown = await browser.submit(page, CHANGE, { email: owner.email })
    assert.equal(outcomeOf(shown), 'waits 200')
    assert.include(shown.html, `<strong>${owner.email}</strong>`)
    const { code, mail } = await mailedCode(owner.email)
    assert.equal(code, '')
    assert.equal(mail!.subject, 'Someone asked to use your address')
    assert.notMatch(mail!.text, /undefined/)
    await user.refresh()
    assert.equal(user.isEmailVerified, false)
  })

  test('that is none is refused on its field', async ({ assert }) => {
    const { browser, page } = await waitingBrowser()
    const shown = await browser.submit(page, CHANGE, { email: 'ada' })
    assert.equal(outcomeOf(shown), 'waits 422')
    assert.match(shown.html, /<details class="more" open/)
  })
})

test.group('Verified address | the link', () => {
  test('goes on at once in the browser that waits', async ({ assert }) => {
    const { user, browser } = await waitingBrowser()
    const { link } = await mailedCode(user.email)
    assert.equal(outcomeOf(await browser.open(link)), 'signed in')
    const again = await browser.open(link)
    assert.include(again.html, 'already confirmed')
  })

  test('goes on while a neighbour has used up the codes of the network', async ({ assert }) => {
    setLimit(limits.addressCodeNetwork, 1)
    const neighbour = await waitingBrowser()
    const { user, browser, page } = await waitingBrowser()
    const network = someNetwork()
    Object.assign(neighbour.browser, { address: `${network}:7::1` })
    Object.assign(browser, { address: `${network}:9::1` })
    const { code: theirs } = await mailedCode(neighbour.user.email)
    await typeCode(neighbour.browser, neighbour.page, otherThan(theirs))
    const { code, link } = await mailedCode(user.email)
    const refused = await typeCode(browser, page, code)
    assert.equal(outcomeOf(refused), 'waits 429')
    assert.include(refused.html, 'Open the link of our e-mail in this browser')
    assert.equal(outcomeOf(await browser.open(link)), 'signed in')
  })

  test('a link confirms no address that was asked for since it was read', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { link } = await mailedCode(user.email)
    const read = await findAddressLink(new URL(link).searchParams.get('token')!)
    const other = someEmail()
    await browser.submit(page, CHANGE, { email: other })
    const caller = { userId: user.id, webSessionId: read!.web_session_id, actor: SYSTEM }
    assert.isFalse(await confirmByLink(read!, caller))
    await user.refresh()
    assert.notEqual(user.email, other)
  })

  test('a link leads to the sign-in if the session ends meanwhile', async ({ assert }) => {
    const { user, browser } = await waitingBrowser()
    const { link } = await mailedCode(user.email)
    const held = holdTransaction()
    const opened = browser.open(link)
    await held.begun
    await endSessions(user.id)
    held.release()
    const page = await opened
    assert.deepEqual([page.response.status, page.url.pathname], [200, '/sign-in'])
    const { pathname, search } = new URL(link)
    assert.equal(page.url.searchParams.get('next'), `${pathname}${search}`)
    await user.refresh()
    assert.isFalse(user.isEmailVerified)
  })

  test('asks elsewhere, and a yes confirms nothing', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { code, link } = await mailedCode(user.email)
    for (const other of [new Browser(), await browserOf(user)]) {
      const asked = await other.open(link)
      assert.include(asked.html, 'Did you make this account?')
      assert.include(asked.html, user.email)
      assert.include(asked.html, 'Chrome on Linux')
      assert.match(asked.html, /<time datetime="/)
      const yes = await other.submit(asked, /^\/confirm-address$/)
      assert.include(yes.html, 'Enter the code on the other page')
    }
    await user.refresh()
    assert.isFalse(user.isEmailVerified)
    assert.equal(outcomeOf(await typeCode(browser, page, code)), 'signed in')
  })

  test('a no removes an account that was never verified', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const { link } = await mailedCode(user.email)
    const other = new Browser()
    const no = await other.submit(await other.open(link), /\/decline$/)
    assert.include(no.html, 'Account removed')
    assert.isNull(await User.find(user.id))
    const answer = await browser.open(page.url)
    assert.equal(answer.url.pathname, '/sign-in')
  })

  test('a no to a new address voids its code', async ({ assert }) => {
    const { user, browser, page } = await waitingBrowser()
    const email = someEmail()
    const shown = await browser.submit(page, CHANGE, { email })
    const { code, link } = await mailedCode(email)
    const other = new Browser()
    const no = await other.submit(await other.open(link), /\/decline$/)
    assert.include(no.html, 'Nothing was confirmed')
    assert.equal(outcomeOf(await typeCode(browser, shown, code)), 'waits 422')
    await user.refresh()
    assert.notEqual(user.email, email)
  })

  test('a made-up token is a link that no longer works', async ({ assert }) => {
    const browser = new Browser()
    for (const query of ['', '?token=x', `?token=${'x'.repeat(300)}`]) {
      const page = await browser.open(`${browser.issuer}/confirm-address${query}`)
      assert.equal(page.response.status, 404)
    }
  })
})

test.group('Verified address | a device', () => {
  const DEVICE = /^\/oauth\/device$/
  const ADDRESS = /^\/oauth\/device\/address$/
  const ANSWER = /^\/oauth\/device\/answer$/

  test('waits for the code, then asks to allow it', async ({ assert }) => {
    const { user, browser, page, poll } = await waitingDevice()
    assert.include(page.html, 'Confirm your address to go on to Grafana')
    const { code } = await mailedCode(user.email)
    const wrong = await browser.submit(page, ADDRESS, { code: otherThan(code) })
    assert.equal(wrong.response.status, 422)
    const consent = await browser.submit(wrong, ADDRESS, { code })
    assert.include(consent.html, 'Sign in to Grafana on a device?')
    await browser.submit(consent, ANSWER, { decision: 'allow' })
    const tokens = await poll()
    assert.isTrue(tokens.claims()!.email_verified)
  })

  test('gets nothing by an answer without the code', async ({ assert }) => {
    const { browser, page, poll } = await waitingDevice()
    const answer = await browser.submit(page, ANSWER, {
      decision: 'allow',
      scopes: 'openid email',
    })
    assert.include(answer.html, 'Confirm your address to go on to Grafana')
    await assert.rejects(poll)
  })

  test('its link confirms here and leads back to the code', async ({ assert }) => {
    const { user, browser } = await waitingDevice()
    const { link } = await mailedCode(user.email)
    const form = await browser.open(link)
    assert.equal(form.url.pathname, '/oauth/device')
    await user.refresh()
    assert.isTrue(user.isEmailVerified)
    const consent = await browser.submit(form, DEVICE, {
      user_code: form.url.searchParams.get('user_code')!,
    })
    assert.include(consent.html, 'Sign in to Grafana on a device?')
  })
})
