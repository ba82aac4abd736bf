import type { HttpContext } from '@adonisjs/core/http'
import type { WebhookWithSecret } from '#webhooks/rotate_secret'

/** A flash message, in the encrypted cookie, takes the secret to the page that shows it. */
const MADE = 'madeWebhookSecret'

export function flashWebhookSecret(
  { session }: HttpContext,
  { webhook, secret }: WebhookWithSecret
) {
  if (secret) session.flash(MADE, { id: webhook.id, secret })
}

/** @returns null after the secret has been shown */
export function getFlashedWebhookSecret({ session }: HttpContext, id: string): string | null {
  const made = session.flashMessages.get(MADE)
  return made?.id === id ? made.secret : null
}
