import store from '#auth/store/service'
import { openToken } from './sealed_tokens.ts'

/** Returns the token as the library stores it; undefined if it is revoked or its session ended. */
export async function findSealedToken(value: string) {
  const token = openToken(value)
  if (!token) return undefined
  const { isActive } = await store.tokenStatus(token, Date.now())
  if (!isActive) return undefined
  const { userId: accountId, sessionId: grantId, clientId, scope, iat, exp, jkt } = token
  const about = { jti: value, kind: 'AccessToken', accountId, grantId, clientId, scope }
  return { ...about, iat, exp, ...(jkt && { jkt }) }
}
