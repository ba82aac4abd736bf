import type { HttpContext } from '@adonisjs/core/http'
import type { RegisteredClient } from '#oidc/clients/client_changes'

/** A flash message, in the encrypted cookie, takes the secret to the page that shows it. */
const MADE = 'madeClientSecret'

export function flashSecret({ session }: HttpContext, { client, clientSecret }: RegisteredClient) {
  if (clientSecret) session.flash(MADE, { clientId: client.clientId, clientSecret })
}

/** @returns null after the secret has been shown */
export function getFlashedSecret({ session }: HttpContext, clientId: string): string | null {
  const made = session.flashMessages.get(MADE)
  return made?.clientId === clientId ? made.clientSecret : null
}
