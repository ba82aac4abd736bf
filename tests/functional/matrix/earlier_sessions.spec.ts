import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import store from '#auth/store/service'
import type User from '#models/user'
import { createUser } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { application, authorizationRequest, REDIRECT } from '#tests/support/oidc'
import { cellsHere } from '#tests/support/proved_on'
import { person } from '../account/person.ts'
import { PAGE_SIGN_INS, type PageSignInName } from './page_sign_ins.ts'
import type { TestBrowser } from '../external/browser.ts'

/*
 | Every sign-in by the pages × who used the browser before. The earlier session ends, because its
 | cookie is overwritten. Applications of the same user stay signed in until a later sign-out.
 | Another user's applications are told; they end immediately unless they have offline access.
 */

const SCOPES = { online: 'openid', offline: 'openid offline_access' }

type Kind = keyof typeof SCOPES

/** Signs in to an application in this browser, and returns the id of the session. */
async function enterApplication(browser: TestBrowser, kind: Kind, backchannelLogoutUri: string) {
  const app = await application({ kind: 'first_party', backchannelLogoutUri })
  const { url, checks } = await authorizationRequest(app, { scope: SCOPES[kind] })
  const { at } = await browser.follow(url.href, (next) => next.startsWith(REDIRECT))
  const tokens = await oidc.authorizationCodeGrant(app.config, new URL(at), checks)
  return tokens.claims()!.sid as string
}

type Outcomes = Record<Kind, string>

const GOES_ON: Outcomes = { online: 'goes on', offline: 'goes on' }
const SIGNED_OUT: Outcomes = { online: 'ended, told', offline: 'goes on, told' }
const ALL_ENDED: Outcomes = { online: 'ended, told', offline: 'ended, told' }

/** The outcomes after the sign-in, and after a sign-out of the browser. */
const EARLIER: Record<string, [Outcomes, Outcomes]> = {
  'the same user': [GOES_ON, SIGNED_OUT],
  'another user': [SIGNED_OUT, SIGNED_OUT],
}

/** A new password ends the sessions that its user has started. */
const AFTER_NEW_PASSWORD: typeof EARLIER = {
  'the same user': [ALL_ENDED, ALL_ENDED],
  'another user': [SIGNED_OUT, SIGNED_OUT],
}

/** The authorization request is answered in the transaction of the sign-in. */
async function requestedPath() {
  const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
  return url.pathname + url.search
}

const WAYS = [...Object.keys(PAGE_SIGN_INS), 'password for an application'] as const

const methodOf = (way: string) => (way in PAGE_SIGN_INS ? way : 'password') as PageSignInName

const CELLS = WAYS.flatMap((way) =>
  Object.entries(way === 'temporary password' ? AFTER_NEW_PASSWORD : EARLIER).map(
    ([before, [entered, signedOut]]) => ({ way, before, entered, signedOut })
  )
)

/** One function stores the new session, whatever the proof was. */
const isEverywhere = ({ way }: (typeof CELLS)[number]) =>
  way.startsWith('password') || way === 'temporary password'

test.group('Matrix | sign-ins by an earlier session of the browser', (group) => {
  let listener: Awaited<ReturnType<typeof logoutListener>>
  group.setup(async () => {
    await sendLogoutTokens()
    listener = await logoutListener()
    return () => listener.close()
  })

  async function isAlive({ id }: User, sessionId: string) {
    return (await store.findSession(id, sessionId, Date.now())) !== null
  }

  async function outcomeOf(user: User, sid: string) {
    await sendLogoutTokens()
    const isTold = listener.claims().some((claims) => claims.sid === sid)
    return `${(await isAlive(user, sid)) ? 'goes on' : 'ended'}${isTold ? ', told' : ''}`
  }

  test('{before} before a sign-in by {way}')
    .with(cellsHere(CELLS, isEverywhere))
    .run(async ({ client, assert }, { way, before, entered, signedOut }) => {
      const user = await createUser()
      const enter = await PAGE_SIGN_INS[methodOf(way)](user, client)
      const earlier = before === 'the same user' ? user : await createUser()
      const { browser, sessionId } = await person({ user: earlier })
      const sids = {
        online: await enterApplication(browser, 'online', listener.uri),
        offline: await enterApplication(browser, 'offline', listener.uri),
      }
      const look = async () => ({
        online: await outcomeOf(earlier, sids.online),
        offline: await outcomeOf(earlier, sids.offline),
      })
      const isRequested = way === 'password for an application'
      await enter(browser, isRequested ? { next: await requestedPath() } : undefined)
      const account = await browser.request('/account')
      assert.deepEqual([account.status, await isAlive(earlier, sessionId)], [200, false])
      assert.deepEqual(await look(), entered)
      await browser.submit('/sign-out')
      assert.deepEqual(await look(), signedOut)
    })
})
