import { errors } from 'oidc-provider'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { verifyIdTokenHint } from '#oidc/tokens/id_token_hint'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 verifies an `id_token_hint` with the keys of its configuration, which do not
 * rotate. Patched, it uses the published keys.
 */
export function verifyHintsByOurKeys({ IdToken }: Provider) {
  IdToken.validate = async (jwt, { clientId }) => ({
    payload: await verifyIdTokenHint(jwt, clientId).catch(passUnavailable),
  })
}

/** The provider would report any other error as an invalid hint. */
function passUnavailable(error: unknown): never {
  if (!isDependencyDown(error)) throw error
  throw Object.assign(new errors.TemporarilyUnavailable('try again soon'), { statusCode: 503 })
}
