import { count } from '#telemetry/counters'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'
import { paramsOf } from './refusal_reason.ts'

/** Counts the answers of the token endpoint. It wraps all patches, which replace some errors. */
export function countTokens(provider: Provider) {
  provider.use(async (ctx, next) => {
    try {
      await next()
    } finally {
      if (ctx.oidc?.route === 'token') countGrant(ctx)
    }
  })
}

const PREFIX = 'urn:ietf:params:oauth:grant-type:'

function countGrant(ctx: Context) {
  const grant = String(paramsOf(ctx).grant_type ?? '').replace(PREFIX, '')
  const outcome = ctx.status === 200 ? 'success' : (ctx.body?.error ?? 'server_error')
  count('gatehouse_oauth_tokens_total', { grant, outcome })
}
