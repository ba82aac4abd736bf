import type { ApiClient } from '@japa/api-client'
import { SYSTEM } from '#audit/actor'
import { setPassword } from '#users/change_password'
import type { SignInMethod } from '#auth/methods/sign_in_method'
import type User from '#models/user'
import { hiddenFields } from '#tests/support/html'
import { PASSWORD } from '#tests/support/fixtures'
import { givePasskey, loginOptions } from '#tests/support/passkeys'
import { htmlOf } from '../account/person.ts'
import { externalCodeOf, giveSecondFactor, outcomeCookie } from './sign_in_methods.ts'
import type { TestBrowser } from '../external/browser.ts'

/* Every sign-in by the pages. A new sign-in, or a new page of one, is added to PAGE_SIGN_INS. */

type Fields = Record<string, string>

/** A page that has a form whether or not a user is signed in. */
const FORM_PAGE = '/forgot-password'

/** Sends the last form, which signs in. The fields are hidden fields of the sign-in page. */
type Enter = (browser: TestBrowser, fields?: Fields) => Promise<Response>

type PageSignIn = (user: User, client: ApiClient) => Promise<Enter>

const byPassword = (browser: TestBrowser, { email }: User, fields: Fields = {}) =>
  browser.submit(FORM_PAGE, { email, password: PASSWORD, ...fields }, '/sign-in')

/** Sends the next form with the hidden fields of the page before it. */
async function goOn(browser: TestBrowser, page: Promise<Response>, step: [string, Fields]) {
  const [path, fields] = step
  return browser.submit(FORM_PAGE, { ...hiddenFields(await htmlOf(page)), ...fields }, path)
}

/** Answers a challenge with a new passkey, in the format of the page's script. */
async function assertion(user: User, client: ApiClient) {
  const { authenticator } = await givePasskey(user)
  return async () => JSON.stringify(authenticator.get(await loginOptions(client)))
}

const NEW_PASSWORD = 'An0ther-horse!'

export const PAGE_SIGN_INS = {
  'password': async (user) => (browser, fields) => byPassword(browser, user, fields),
  'code': async (user) => {
    const code = await giveSecondFactor(user)
    return (browser, fields) =>
      goOn(browser, byPassword(browser, user, fields), ['/sign-in/code', { code }])
  },
  'passkey': async (user, client) => {
    const respond = await assertion(user, client)
    return async (browser, fields) =>
      browser.submit(FORM_PAGE, { ...fields, response: await respond() }, '/sign-in/passkey')
  },
  'passkey step': async (user, client) => {
    await giveSecondFactor(user)
    const respond = await assertion(user, client)
    return async (browser, fields) => {
      const step = { response: await respond() }
      return goOn(browser, byPassword(browser, user, fields), ['/sign-in/code/passkey', step])
    }
  },
  'external': async (user) => {
    const cookie = outcomeCookie(await externalCodeOf(user))
    return (browser) => {
      browser.keep(cookie)
      return browser.request('/sign-in/external')
    }
  },
  'external and code': async (user) => {
    const code = await giveSecondFactor(user)
    const cookie = outcomeCookie(await externalCodeOf(user))
    return (browser) => {
      browser.keep(cookie)
      return goOn(browser, browser.request('/sign-in/external'), ['/sign-in/code', { code }])
    }
  },
  'temporary password': async (user) => {
    await setPassword(user, PASSWORD, { actor: SYSTEM, mustChange: true })
    return async (browser, fields) => {
      const asked = await byPassword(browser, user, fields)
      const path = asked.headers.get('location')!
      return goOn(browser, browser.request(path), ['/sign-in/password', { password: NEW_PASSWORD }])
    }
  },
} satisfies Record<SignInMethod, PageSignIn> & Record<string, PageSignIn>

export type PageSignInName = keyof typeof PAGE_SIGN_INS
