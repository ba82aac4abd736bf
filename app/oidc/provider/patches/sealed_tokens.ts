import { sealToken } from '#oidc/tokens/sealed_tokens'
import type Provider from 'oidc-provider'

interface AccessToken {
  accountId: string
  grantId: string
  clientId: string
  scope?: string
  claims?: object
  aud?: string
  jkt?: string
  format: string
  iat?: number
  exp?: number
  expiration: number
}

/**
 * oidc-provider 9.13 stores each opaque access token. Patched, the token itself contains its data.
 * A token with requested claims is still stored, because the claims may be long.
 */
export function sealAccessTokens({ AccessToken }: Provider) {
  const { prototype } = AccessToken
  const compose = prototype.getValueAndPayload
  prototype.getValueAndPayload = async function (this: AccessToken) {
    const isSealed = this.format === 'opaque' && this.aud === undefined && !this.claims
    return isSealed ? { value: seal(this) } : compose.call(this)
  }
}

function seal(token: AccessToken) {
  const { accountId: userId, grantId: sessionId, clientId, scope = '', jkt } = token
  const now = Math.floor(Date.now() / 1_000)
  const { iat = now, exp = now + token.expiration } = token
  return sealToken({ userId, sessionId, clientId, scope, iat, exp, jkt })
}
