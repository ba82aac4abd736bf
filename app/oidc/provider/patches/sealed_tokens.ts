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
}

/**
 * oidc-provider 9.13 stores each opaque access token. Patched, the token says itself what it is for;
 * one with requested claims is stored, because they may be long.
 */
export function sealAccessTokens({ AccessToken }: Provider) {
  const { prototype } = AccessToken
  const compose = prototype.getValueAndPayload
  prototype.getValueAndPayload = async function (this: AccessToken) {
    const composed = await compose.call(this)
    const isOpaque = composed.payload !== undefined && this.aud === undefined
    if (!isOpaque || this.claims) return composed
    const { accountId: userId, grantId: sessionId, clientId, scope = '', jkt } = this
    const { iat, exp } = composed.payload!
    return { value: sealToken({ userId, sessionId, clientId, scope, iat, exp, jkt }) }
  }
}
