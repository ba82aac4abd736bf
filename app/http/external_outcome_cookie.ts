import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/external'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'

/* An encrypted cookie holds the code: in a URL, an attacker could inject another (login CSRF). */

type ExternalOutcome = { next: string; code: string } | { next: string; problem: ExternalProblem }

interface ExternalProblem {
  code: string
  message: string
  status: number
}

/** Part of the content, so that no other encrypted cookie passes for this one. */
const PURPOSE = 'external outcome'

const COOKIE = cookieName('external_outcome')

const cookieOptions = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const

export function saveExternalOutcome({ response }: HttpContext, outcome: ExternalOutcome) {
  const content = { ...outcome, purpose: PURPOSE, endsAt: Date.now() + settings.codeTtlMs }
  const maxAge = settings.codeTtlMs / 1_000
  response.encryptedCookie(COOKIE, content, { ...cookieOptions, maxAge })
}

/** @returns null if there is no outcome or its minute has passed */
export function pullExternalOutcome({ request, response }: HttpContext): ExternalOutcome | null {
  const content = request.encryptedCookie(COOKIE)
  response.clearCookie(COOKIE, cookieOptions)
  return content?.purpose === PURPOSE && content.endsAt > Date.now() ? content : null
}
