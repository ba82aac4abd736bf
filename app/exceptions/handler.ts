import { STATUS_CODES } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import { requireSignIn } from '#pages/sign_in/require_sign_in'
import { releaseUsedCode } from '#http/reauthentication'
import { recordRefusedRequest } from '#http/refused_request'
import { isLostBrowser, isPage, sendPage } from './error_page.ts'
import { isOAuthPath, oauthProblem } from './oauth_problem.ts'
import { errorBody, toProblem, type Problem } from './problem.ts'
import router from '@adonisjs/core/services/router'
import { findProviderRoute } from '#start/routes/oauth'
import { E_METHOD_NOT_ALLOWED, E_NOT_FOUND } from './http_errors.ts'

/** Renders errors as pages, RFC 9457 problem details, or the JSON of the API. */
export default class ExceptionHandler {
  async handle(error: unknown, ctx: HttpContext) {
    const problem = problemOf(error, ctx)
    const { request, response } = ctx
    if (problem.status === 401) response.header('www-authenticate', 'Bearer')
    for (const [name, value] of Object.entries(problem.headers)) response.header(name, value)
    response.status(problem.status)
    if (problem.status === 405 && request.method() === 'OPTIONS') return response.noContent()
    if (isPage(ctx)) return endsSession(problem) ? requireSignIn(ctx) : sendPage(ctx, problem)
    if (isLostBrowser(ctx)) return sendPage(ctx, problem)
    return wantsProblemDetails(ctx) ? sendProblemDetails(ctx, problem) : sendJson(ctx, problem)
  }

  /**
   * Records refusals that an attack may have caused. While a dependency is down many requests fail,
   * so each logs one line without a stack.
   */
  async report(error: any, ctx: HttpContext) {
    const { logger } = ctx
    const { status, code } = toProblem(error)
    await recordRefusedRequest(ctx, code)
    // After a failure it is unknown what was changed.
    if (status < 500) await releaseUsedCode(ctx)
    if (status === 503) logger.warn({ code, reason: await reasonOf(error) }, 'request refused')
    else if (status >= 500) logger.error({ err: error }, 'request failed')
  }
}

/** Returns the sentence of `doctor` if there is one, because it names a remedy. */
async function reasonOf(error: Error) {
  const { explainError } = await import('#health/check_failures')
  return explainError(error) ?? error.message
}

function problemOf(error: any, ctx: HttpContext) {
  const problem = toProblem(error?.code === 'E_ROUTE_NOT_FOUND' ? unroutedRefusal(ctx) : error)
  return isOAuthPath(ctx) ? oauthProblem(problem) : problem
}

/** If the session has ended, the form of the request is saved until after a sign-in. */
function endsSession({ code }: Problem) {
  return code === 'E_TOKEN_REVOKED'
}

function wantsProblemDetails({ request }: HttpContext) {
  return request.request.headers.accept?.includes('application/problem+json') ?? false
}

function sendJson({ request, response }: HttpContext, problem: Problem) {
  response.json(errorBody(problem, request.id()))
}

function sendProblemDetails({ request, response }: HttpContext, problem: Problem) {
  response.header('content-type', 'application/problem+json')
  response.send(
    JSON.stringify({
      type: 'about:blank',
      title: STATUS_CODES[problem.status],
      status: problem.status,
      detail: problem.message,
      code: problem.code,
      requestId: request.id(),
      ...problem.members,
      ...(problem.errors && { errors: problem.errors }),
    })
  )
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** 405 with `Allow` for a path that takes other methods (RFC 9110, section 15.5.6), otherwise 404. */
export function unroutedRefusal({ request }: HttpContext) {
  const url = request.url()
  const routed = METHODS.filter((method) => router.match(url, method, false))
  const provided = findProviderRoute(url)?.methods ?? []
  const allowed = new Set([...routed, ...provided, 'OPTIONS'])
  if (routed.length + provided.length === 0) return new E_NOT_FOUND()
  const headers = { Allow: [...allowed].toSorted().join(', ') }
  return Object.assign(new E_METHOD_NOT_ALLOWED(), { headers })
}
