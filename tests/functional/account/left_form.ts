import { PASSWORD } from '#tests/support/fixtures'
import { htmlOf } from './person.ts'
import type User from '#models/user'
import type { TestBrowser } from '../external/browser.ts'

/* A form that somebody sends in a browser that was signed out, and that waits for a sign-in. */

type Fields = Record<string, string>

/** The form that a page carries on. */
export function savedIn(page: string) {
  return /name="savedForm" value="([^"]+)"/.exec(page)![1]
}

/** Signs out, and sends it: the sign-in page carries it. */
export async function leaveForm(browser: TestBrowser, path: string, fields: Fields = {}) {
  await browser.submit('/sign-out')
  return savedIn(await htmlOf(browser.submit('/sign-in', fields, path)))
}

/** What the browser does once it has signed in. */
export function replayForm(browser: TestBrowser, path: string, savedForm: string) {
  return browser.submit('/account', { savedForm }, path)
}

/** The answer to a form that was left, once its user has signed in by password. */
export async function sendOverSignIn(
  { browser, user: { email } }: { browser: TestBrowser; user: User },
  path: string,
  fields?: Fields
) {
  const savedForm = await leaveForm(browser, path, fields)
  await browser.submit('/sign-in', { email: email!, password: PASSWORD, savedForm })
  return replayForm(browser, path, savedForm)
}
