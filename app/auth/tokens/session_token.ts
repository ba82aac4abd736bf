import { roleInToken } from '#auth/sessions/required_factors'
import { issueAccessToken, type TokenSubject } from './access_tokens.ts'
import type { SessionRecord } from '#auth/store/contract'

/** The access token of a sign-in or a refresh. */
export function issueSessionToken({ id, email, role }: TokenSubject, session: SessionRecord) {
  return issueAccessToken({ id, email, role: roleInToken(role, session) }, session.id)
}
