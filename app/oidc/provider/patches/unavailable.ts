import logger from '@adonisjs/core/services/logger'
import { toProblem } from '#exceptions/problem'
import { isForBrowser, rememberFailure } from '#oidc/provider/failures'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/**
 * oidc-provider 9.13 answers 500 `server_error` to every error that is not its own. Patched, it
 * answers 503 if a dependency is down and 429 for a throttle; all other errors are logged.
 */
export function answerUnavailable(provider: Provider) {
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

/** Returns true if another try may succeed, and has then answered. A browser gets a page. */
function answersLater(ctx: Context, cause: unknown) {
  const { status, headers } = toProblem(cause)
  if (status !== 503 && status !== 429) return false
  ctx.status = status
  ctx.res.removeHeader('location')
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  const isPage = isForBrowser(ctx.req)
  const name = status === 429 && !isPage ? 'slow_down' : 'temporarily_unavailable'
  const out = { error: name, error_description: 'try again soon' }
  if (isPage) rememberFailure(ctx.req, { status, error: name })
  Object.assign(ctx, isPage ? { respond: false } : { body: out })
  return true
}
