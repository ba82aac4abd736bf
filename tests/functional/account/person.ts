import settings from '#config/web_session'
import store from '#auth/store/service'
import { BY_PASSWORD, type Authentication } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { webCookie } from '#auth/sessions/web_session'
import { TestBrowser } from '../external/browser.ts'
import { createUser } from '#tests/support/fixtures'
import type User from '#models/user'

/** Just longer than the ten minutes during which a proof is recent. */
const OLD_MS = 600_001

interface Visit {
  user?: User
  /** How the session was proved; by password unless given. */
  session?: Authentication
  /** Whether the session is too old to be a recent proof. */
  isOld?: boolean
}

/** The browser of a person who is signed in to the pages. */
export async function person({ user: given, session = BY_PASSWORD, isOld }: Visit = {}) {
  const user = given ?? (await createUser())
  const browser = new TestBrowser()
  const device = { id: 'default', ip: browser.address, userAgent: null, client: 'web' as const }
  const started = await startSession(user, { device, ...session })
  const { id: sessionId, amr, authenticatedAt } = started.session
  if (isOld) {
    const at = authenticatedAt - OLD_MS
    await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at })
  }
  browser.setCookie(settings.cookieName, webCookie(started.session, started.refreshToken))
  return { user, browser, sessionId }
}

/** Returns the markup of a response, which may still be pending. */
export async function htmlOf(response: Response | Promise<Response>) {
  const answer = await response
  return answer.text()
}

/** Returns the text of a page without its markup. */
export async function textOf(response: Response | Promise<Response>) {
  const html = await htmlOf(response)
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}
