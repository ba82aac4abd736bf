import type { Context } from 'oidc-provider'
import type { RecordKey } from '#oidc/records/record_rows'

const REDEEMED: Record<string, { kind: string; field: string }> = {
  authorization_code: { kind: 'AuthorizationCode', field: 'code' },
  refresh_token: { kind: 'RefreshToken', field: 'refresh_token' },
}

/** Returns the code or refresh token that the request redeems after its client is authenticated. */
export function codeOf({ body }: Context['oidc']): RecordKey | undefined {
  const redeemed = REDEEMED[String(body?.grant_type)]
  const id = redeemed && body?.[redeemed.field]
  return typeof id === 'string' ? { kind: redeemed.kind, id } : undefined
}
