import { PASSWORD } from '#tests/support/fixtures'
import { htmlOf } from './person.ts'
import type User from '#models/user'
import type { TestBrowser } from '../external/browser.ts'

/* Forms sent by a browser that was signed out, each of which waits for a sign-in. */

type Fields = Record<string, string>

/** Returns the saved form that a page contains. */
export function savedIn(page: string) {
  return /name="savedForm" value="([^"]+)"/.exec(page)![1]
}

/** Signs out and sends a form. Returns the saved form that the sign-in page contains. */
export async function leaveForm(browser: TestBrowser, path: string, fields: Fields = {}) {
  await browser.submit('/sign-out')
  return savedIn(await htmlOf(browser.submit('/sign-in', fields, path)))
}

/** Sends the saved form again, as a browser does after the sign-in. */
export function replayForm(browser: TestBrowser, path: string, savedForm: string) {
  return browser.submit('/account', { savedForm }, path)
}

/** Returns the answer to a saved form after its user has signed in by password. */
export async function sendOverSignIn(
  { browser, user: { email } }: { browser: TestBrowser; user: User },
  path: string,
  fields?: Fields
) {
  const savedForm = await leaveForm(browser, path, fields)
  await browser.submit('/sign-in', { email: email!, password: PASSWORD, savedForm })
  return replayForm(browser, path, savedForm)
}
