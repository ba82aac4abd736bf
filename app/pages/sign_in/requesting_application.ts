import limits from '#config/limits'
import { INTERACTION } from './next_path.ts'

const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

/**
 * Null where the sign-in leads elsewhere, so that the provider is loaded for applications alone.
 * The name grants no access: the interaction checks its cookie.
 */
export async function requestingApplication(next: string) {
  const [, uid] = INTERACTION.exec(next) ?? []
  if (!uid) return null
  const { oidcProvider } = await import('#oidc/provider/provider')
  const { applicationOf, requestOf } = await import('#pages/clients/application_pages')
  const interaction = await oidcProvider().Interaction.find(uid)
  if (!interaction) return null
  const { name } = await applicationOf(interaction)
  const { redirectHost, isLocal } = await requestOf(interaction)
  return { name, host: redirectHost, isLocal, loginHint: addressIn(interaction.params.login_hint) }
}

/** Users sign in by their address: another hint would only have to be deleted. */
function addressIn(hint: unknown) {
  const isAddress = typeof hint === 'string' && hint.length <= limits.email && ADDRESS.test(hint)
  return isAddress ? hint : null
}
