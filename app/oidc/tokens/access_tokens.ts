import { randomUUID } from 'node:crypto'
import type { Client, Context } from 'oidc-provider'
import signingKeys from '#config/signing_keys'
import { issuer } from '#config/app'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { identityPurpose } from '#auth/signing_keys/signing_key'
import { serviceSubject } from '#oidc/grants/service_sessions'

interface Token {
  kind: string
  grantId?: string
  client: Client
  aud: string
  scope?: string
}

interface Jwt {
  header?: Record<string, unknown>
  payload: Record<string, any>
}

/** `jti` names the session, whose end makes the token invalid. */
export async function customizeJwt(ctx: Context, token: Token, jwt: Jwt) {
  const isService = token.kind === 'ClientCredentials'
  const { user, sessionId } = isService
    ? await serviceSubject(ctx, token.client)
    : { user: ctx.oidc.entities.Account.user, sessionId: token.grantId! }
  jwt.payload.sub = user.id
  jwt.payload.jti = `${sessionId}.${randomUUID()}`
  const isOfApi = token.aud === signingKeys.clientAudience
  if (isOfApi) Object.assign(jwt.payload, apiClaims(user, token))
  const isByKeyPair = !isOfApi || signingKeys.algorithm !== 'HS256'
  const purpose = isOfApi ? 'access' : identityPurpose(token.client.idTokenSignedResponseAlg)
  if (isByKeyPair) jwt.header = { kid: await signingKid(purpose) }
}

/** Returns the claims for the same scopes as in an ID token. */
function apiClaims(user: { mailbox: string | null; role: string }, { scope = '' }: Token) {
  const scopes = scope.split(' ')
  return {
    iss: signingKeys.algorithm === 'HS256' ? issuer : signingKeys.issuer,
    ...(scopes.includes('email') && user.mailbox !== null && { email: user.mailbox }),
    ...(scopes.includes('profile') && { role: user.role }),
  }
}
