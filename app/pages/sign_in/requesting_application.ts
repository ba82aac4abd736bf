const INTERACTION = /^\/oauth\/interaction\/([\w-]{1,64})(?:\?|$)/

/**
 * The name and the host of the application that a sign-in leads to; null where it leads elsewhere. The
 * provider is loaded for nobody else. It is a name and no permission: the cookie of the
 * interaction, which the page after this one asks for, is not sent here.
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
  return { name, host: redirectHost, isLocal }
}
