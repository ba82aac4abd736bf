import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'

/*
 | A form that was tested comes back with its secret, which no page may show. The browser carries it
 | encrypted, only for this session and as long as a reauthentication is recent.
 */

const PURPOSE = 'typed secret'
const VALID_FOR = '10m'

interface TypedSecret {
  value: string
  sessionId: string
}

const nameOf = (field: string) => `typed_secret_${field}`

function sessionOf({ auth }: HttpContext) {
  return auth.use('web').getUserOrFail().session.id
}

/** Returns the secret that is typed in the form, or else the one that was typed before. */
export function readTypedSecret(ctx: HttpContext, field: string): string | null {
  const typed = ctx.request.input(field)
  if (typeof typed === 'string' && typed !== '') return typed
  const sealed = ctx.request.input(nameOf(field))
  if (typeof sealed !== 'string') return null
  const opened = encryption.decrypt<TypedSecret>(sealed, PURPOSE)
  return opened?.sessionId === sessionOf(ctx) ? opened.value : null
}

/** @returns the hidden field, or null where nothing was typed */
export function sealTypedSecret(ctx: HttpContext, field: string) {
  const value = readTypedSecret(ctx, field)
  if (value === null) return null
  const sealed = encryption.encrypt({ value, sessionId: sessionOf(ctx) }, VALID_FOR, PURPOSE)
  return { name: nameOf(field), value: sealed }
}
