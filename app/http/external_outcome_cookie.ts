import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/external'
import { isHttps } from '#config/app'

/*
 | What the callback of an external login hands to the page that has started it. The code of
 | the login is in an encrypted cookie and in no address, so that only the browser that came
 | from the provider can use it, and no other site can have it signed in with another code.
 */

type ExternalOutcome = { next: string; code: string } | { next: string; problem: ExternalProblem }

/** A refusal of the callback, which the sign-in page tells. */
interface ExternalProblem {
  code: string
  message: string
  status: number
}

/** Part of the cookie's content: no other encrypted cookie passes for this one. */
const PURPOSE = 'external outcome'

const COOKIE = `${isHttps ? '__Host-' : ''}external-outcome`

const cookieOptions = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const

export function saveExternalOutcome({ response }: HttpContext, outcome: ExternalOutcome) {
  const content = { ...outcome, purpose: PURPOSE, endsAt: Date.now() + settings.codeTtlMs }
  const maxAge = settings.codeTtlMs / 1_000
  response.encryptedCookie(COOKIE, content, { ...cookieOptions, maxAge })
}

/** The outcome that this browser brings, which is cleared; null without one or after its minute. */
export function takeExternalOutcome({ request, response }: HttpContext): ExternalOutcome | null {
  const content = request.encryptedCookie(COOKIE)
  response.clearCookie(COOKIE, cookieOptions)
  return content?.purpose === PURPOSE && content.endsAt > Date.now() ? content : null
}
