import type { HttpContext } from '@adonisjs/core/http'
import type { Problem } from './problem.ts'

/** The errors of RFC 6749, section 5.2, and of RFC 6750, section 3.1, by the status. */
const ERRORS: Record<number, string> = {
  401: 'invalid_client',
  403: 'access_denied',
  429: 'slow_down',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

export function isOAuthPath({ request }: HttpContext) {
  return request.url() === '/oauth/introspect'
}

/** OAuth libraries read `error` and `error_description`. */
export function oauthProblem(problem: Problem): Problem {
  const [, challenged] = /error="(\w+)"/.exec(problem.headers['www-authenticate']) ?? []
  const error = challenged ?? ERRORS[problem.status] ?? 'invalid_request'
  const { message: description, members } = problem
  return { ...problem, members: { ...members, error, error_description: description } }
}
