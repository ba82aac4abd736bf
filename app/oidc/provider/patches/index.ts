import { verifyAssertions } from './client_assertions.ts'
import { addClientClaims } from './client_claims.ts'
import { verifySecrets } from './client_secrets.ts'
import { slowDownDevices } from './device_polling.ts'
import { completeDiscovery } from './discovery.ts'
import { preventProofReplay } from './dpop_proofs.ts'
import { nameForbiddenGrants } from './forbidden_grants.ts'
import { limitFormPost } from './form_post.ts'
import { keepWebSessionOfGrants } from './grant_members.ts'
import { limitGrantedScopes } from './granted_scopes.ts'
import { verifyHintsByOurKeys } from './id_token_hint.ts'
import { revokeJwts } from './jwt_revocation.ts'
import { signWithLiveKeys } from './live_keys.ts'
import { keepOfflineAccess } from './offline_access.ts'
import { useOwnRedirectRules } from './redirect_addresses.ts'
import { reportRequestedAcr } from './reported_acr.ts'
import { checkRedirectUrisAgain } from './redirect_uri_check.ts'
import { issueSuccessors } from './refresh_successors.ts'
import { sealAccessTokens } from './sealed_tokens.ts'
import { limitServiceScopes } from './service_scopes.ts'
import { nameSessions } from './session_id_claim.ts'
import { answerBySignInForm } from './sign_in_form.ts'
import { answerUnavailable } from './unavailable.ts'
import { keepErrorsFromUntrusted } from './untrusted_redirects.ts'
import { useWebSession } from './web_session.ts'

/*
 | The provider has no option for these. The first patch of an answer wraps all others.
 | `tests/unit/patches/oidc_provider` fails as soon as a patch is needless.
 */
export const PATCHES = [
  answerUnavailable,
  useWebSession,
  answerBySignInForm,
  verifySecrets,
  verifyAssertions,
  nameSessions,
  addClientClaims,
  verifyHintsByOurKeys,
  signWithLiveKeys,
  keepOfflineAccess,
  reportRequestedAcr,
  limitServiceScopes,
  limitGrantedScopes,
  keepWebSessionOfGrants,
  useOwnRedirectRules,
  checkRedirectUrisAgain,
  preventProofReplay,
  keepErrorsFromUntrusted,
  limitFormPost,
  completeDiscovery,
  nameForbiddenGrants,
  issueSuccessors,
  sealAccessTokens,
  revokeJwts,
  slowDownDevices,
]
