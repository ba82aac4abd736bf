import { randomBytes } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/web_session'

/*
 | A form whose sender was signed out in the meantime, or has to confirm their password, is
 | not lost. The sign-in page carries it as an encrypted field; after the sign-in, a 307
 | redirect repeats the request to its target (RFC 9110, section 15.4.8).
 */

const PURPOSE = 'saved form'

/**
 * In bytes, which encryption makes a third more. A longer form is not saved: with it the page
 * would exceed the limit of form bodies, 64 KB.
 */
const MAX_BYTES = 44_000

type Fields = Record<string, unknown>

interface SavedForm {
  path: string
  fields: Fields
  /** The id of the user who sent the form: no other user can replay it. */
  ownerId: string
  /** The browser that sent the form: one that an attacker saved elsewhere is not replayed. */
  visit: string
  /** What the form does, for the page that asks for the password. */
  purpose: string
}

/** Passwords and codes are typed again and never saved, not even encrypted. */
const NEVER_SAVED = /password|code|secret|^_csrf$|^savedForm$/i

function pathOf({ request }: HttpContext) {
  return request.url(true)
}

const OWNER = 'signed-out'

/** Remembers the user who signs out: a form that is open in another tab of the browser is theirs. */
export function rememberOwner({ session }: HttpContext, userId: string) {
  session.put(OWNER, userId)
}

/** The id of the user who was signed in last, from the session cookie or the browser session. */
export function formOwner({ session }: HttpContext, cookie: string): string {
  return cookie.split('.')[0] || session.get(OWNER, '')
}

/** A random id of the browser, in its encrypted session. */
function visitOf({ session }: HttpContext): string {
  const visit = session.get('visit') ?? randomBytes(16).toString('base64url')
  session.put('visit', visit)
  return visit
}

/** Encrypts the form of this request; null when it is too long to be saved. */
export function saveForm(ctx: HttpContext, ownerId: string, purpose = ''): string | null {
  const fields = Object.entries(ctx.request.body()).filter(([name]) => !NEVER_SAVED.test(name))
  const saved = { path: pathOf(ctx), fields: Object.fromEntries(fields), ownerId, purpose }
  const form: SavedForm = { ...saved, visit: visitOf(ctx) }
  const isShort = Buffer.byteLength(JSON.stringify(form)) <= MAX_BYTES
  return isShort ? encryption.encrypt(form, settings.savedFormMs, PURPOSE) : null
}

/** The saved form of this request, if it has not expired and belongs to this browser and user. */
export function openSavedForm(ctx: HttpContext, userId: string): SavedForm | null {
  const { savedForm } = ctx.request.body()
  if (typeof savedForm !== 'string') return null
  const saved = encryption.decrypt<SavedForm>(savedForm, PURPOSE)
  return saved?.ownerId === userId && saved.visit === ctx.session.get('visit') ? saved : null
}

/** Redirects with 307, which repeats the request; `restoreForm` reads the saved fields there. */
export function replayForm({ response }: HttpContext, saved: SavedForm) {
  return response.redirect().status(307).toPath(saved.path)
}

/** Replaces the body by the fields of a saved form, if the form was saved for this path. */
export function restoreForm(ctx: HttpContext) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const saved = openSavedForm(ctx, user.id)
  if (saved?.path === pathOf(ctx)) ctx.request.updateBody(saved.fields)
}
