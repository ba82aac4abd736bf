import type { HttpContext } from '@adonisjs/core/http'
import { createKey } from '#auth/api_keys/create_key'
import { createKeyFormValidator } from '#validators/admin'
import { actorOf } from '#http/request_source'
import { filledForm } from '#pages/forms/form_token'
import { submit, type Form } from '#pages/forms/forms'
import type User from '#models/user'

const DAY_MS = 86_400_000

/** A flash message, in the encrypted cookie, takes the key to the page that shows it. */
const MADE = 'madeApiKey'

type MadeKey = Awaited<ReturnType<typeof createKey>>

export function submitKey(ctx: HttpContext, owner: User, onError: (form: Form) => unknown) {
  return submit(ctx, {
    validator: createKeyFormValidator,
    fields: { E_INSUFFICIENT_SCOPE: 'scopes' },
    action: ({ days, ...given }) => {
      const form = filledForm(ctx, { ownerId: owner.id, days, ...given })
      const newKey = { ...given, expiresAt: Date.now() + days * DAY_MS, formId: form?.id }
      return createKey(owner.id, newKey, actorOf(ctx))
    },
    onError,
  })
}

export function flashKey({ session }: HttpContext, { id: userId }: User, made: MadeKey) {
  session.flash(MADE, { userId, ...made })
}

/** @returns null after the key has been shown */
export function getFlashedKey({ session }: HttpContext, { id }: User): MadeKey | null {
  const made = session.flashMessages.get(MADE)
  return made?.userId === id ? made : null
}
