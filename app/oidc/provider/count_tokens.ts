import { count } from '#telemetry/counters'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'
import { paramsOf, type ProviderError } from './refusal_reason.ts'

/** The library reports each answer of the token endpoint by one event. */
export function countTokens(provider: Provider) {
  provider.on('grant.success', (ctx: Context) => countGrant(ctx, 'success'))
  provider.on('grant.error', (ctx: Context, { error = '' }: ProviderError) => {
    countGrant(ctx, error)
  })
  provider.on('server_error', (ctx: Context) => {
    if (ctx.oidc?.route === 'token') countGrant(ctx, 'server_error')
  })
}

const PREFIX = 'urn:ietf:params:oauth:grant-type:'

function countGrant(ctx: Context, outcome: string) {
  const grant = String(paramsOf(ctx).grant_type ?? '').replace(PREFIX, '')
  count('gatehouse_oauth_tokens_total', { grant, outcome })
}
