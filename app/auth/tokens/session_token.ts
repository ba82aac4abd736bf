import { addedClaims } from '#auth/claims/added_claims'
import { roleInToken } from '#auth/sessions/required_factors'
import { issueAccessToken, type TokenSubject } from './access_tokens.ts'
import type { ClaimInputs } from '#auth/claims/claim_inputs'
import type { SessionRecord } from '#auth/store/contract'

/** The access token of a sign-in or a refresh. */
export async function issueSessionToken(
  { id, email, role: ofUser }: TokenSubject,
  session: SessionRecord,
  inputs: ClaimInputs | null
) {
  const role = roleInToken(ofUser, session)
  const added = inputs ? await addedClaims(inputs, role) : {}
  return issueAccessToken({ id, email, role }, session.id, added)
}
