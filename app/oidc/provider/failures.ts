import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import { toProblem } from '#exceptions/problem'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/** An error for a person, which a page of ours shows in place of the library's. */
export interface Failure {
  status: number
  /** Of OAuth, such as `invalid_client`. */
  error: string
  description?: string
  /** What is wrong with the document that describes a client. */
  document?: { reason: string; host: string }
  /** The name of a client that the user has not consented to, and is not taken to. */
  untrusted?: string
}

const failures = new WeakMap<IncomingMessage, Failure>()

export function rememberFailure(request: IncomingMessage, failure: Failure) {
  failures.set(request, failure)
}

export function failureOf(request: IncomingMessage) {
  return failures.get(request)
}

/** What fails within is logged; a dependency that is down is no fault of the request. */
export function reportFailures(provider: Provider) {
  provider.on('error', logFailure)
  provider.on('server_error', (ctx: Context, error: unknown) => {
    if (!answersLater(ctx, error)) logFailure(error)
  })
  provider.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!answersLater(ctx, error)) throw error
    }
  })
}

function logFailure(error: unknown) {
  logger.error({ err: error }, 'the OpenID provider failed')
}

/** True where a dependency is down, or the request is one too many: people alone get a page. */
function answersLater(ctx: Context, cause: unknown) {
  const { status, headers } = toProblem(cause)
  if (status !== 503 && status !== 429) return false
  ctx.status = status
  ctx.res.removeHeader('location')
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  const isPage = isForPeople(ctx.req)
  const name = status === 429 && !isPage ? 'slow_down' : 'temporarily_unavailable'
  const out = { error: name, error_description: 'try again soon' }
  if (isPage) rememberFailure(ctx.req, { status, error: name })
  Object.assign(ctx, isPage ? { respond: false } : { body: out })
  return true
}

/** Whether a browser asks on behalf of a person, who gets a page. */
export function isForPeople({ url = '', headers }: IncomingMessage) {
  return url.startsWith('/oauth/authorize') && Boolean(headers.accept?.includes('text/html'))
}
