import settings from '#config/web_session'
import store from '#auth/store/service'
import { startSession, type StartedSession } from '#auth/sessions/sessions'
import { webCookie } from '#auth/sessions/web_session'
import { someAddress } from '#tests/support/fixtures'
import type User from '#models/user'

const BASE = `http://127.0.0.1:${process.env.PORT}`
const OLD_MS = 600_001

interface Proved {
  amr: string[]
  isOld?: boolean
}

/** A browser in the console, which sends the forms of a page with its CSRF token. */
export async function visitor(admin: User, { amr, isOld }: Proved) {
  const device = { id: 'default', ip: someAddress(), userAgent: null, client: 'web' as const }
  const started = await startSession(admin, { device, method: 'password', amr })
  const { id: sessionId, authenticatedAt } = started.session
  const at = isOld ? authenticatedAt - OLD_MS : authenticatedAt
  await store.reauthenticateSession({ userId: admin.id, sessionId }, { amr, at })
  return { started, ...(await formsOf(started)) }
}

async function formsOf({ session, refreshToken }: StartedSession) {
  const signedIn = `${settings.cookieName}=${webCookie(session, refreshToken)}`
  const page = await fetch(`${BASE}/admin/account`, { headers: { cookie: signedIn } })
  const csrf = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await page.text())![1]
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const headers = { cookie: [signedIn, ...cookies].join('; ') }
  const open = (path: string) => fetch(BASE + path, { redirect: 'manual', headers })
  const submit = (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ _csrf: csrf, ...fields })
    return fetch(BASE + path, { method: 'POST', redirect: 'manual', headers, body })
  }
  return { open, submit }
}
