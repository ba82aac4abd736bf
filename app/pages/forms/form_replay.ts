import { randomBytes } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/web_session'

/*
 | The sign-in page carries a saved form as an encrypted field. After it, a 307 redirect repeats
 | the request (RFC 9110, section 15.4.8).
 */

const PURPOSE = 'saved form'

/** In bytes. Encryption adds a third, and a longer form would exceed the 64 KB limit of form bodies. */
const MAX_BYTES = 44_000

type Fields = Record<string, unknown>

interface SavedForm {
  path: string
  fields: Fields
  /** No other user can replay the form. */
  ownerId: string
  /** No other browser replays the form: an attacker may have saved it elsewhere. */
  visit: string
  /** The page that asks for the password names the purpose. */
  purpose: string
  /** Whether that page named the change itself: a sign-in page shows nothing of the form. */
  isNamed: boolean
}

/**
 * Passwords and codes are never saved, not even encrypted: users type them again. The code of a
 * device proves nothing about its user.
 */
const NEVER_SAVED = /password|(?<!^user_)code|secret|^_csrf$|^savedForm$/i

function pathOf({ request }: HttpContext) {
  return request.url(true)
}

const OWNER = 'signed-out'

/** A form in another tab of the browser still belongs to the user who signs out. */
export function rememberOwner({ session }: HttpContext, userId: string) {
  session.put(OWNER, userId)
}

export function formOwner({ session }: HttpContext, cookie: string): string {
  return cookie.split('.')[0] || session.get(OWNER, '')
}

/** A random id of the browser, in its encrypted session. */
function visitOf({ session }: HttpContext): string {
  const visit = session.get('visit') ?? randomBytes(16).toString('base64url')
  session.put('visit', visit)
  return visit
}

/** @returns null for a form that is too long to be saved */
export function saveForm(
  ctx: HttpContext,
  ownerId: string,
  { purpose = '', isNamed = false }: Partial<Pick<SavedForm, 'purpose' | 'isNamed'>> = {}
): string | null {
  const fields = Object.entries(ctx.request.body()).filter(([name]) => !NEVER_SAVED.test(name))
  const saved = { path: pathOf(ctx), fields: Object.fromEntries(fields), ownerId, purpose }
  const form: SavedForm = { ...saved, isNamed, visit: visitOf(ctx) }
  const isShort = Buffer.byteLength(JSON.stringify(form)) <= MAX_BYTES
  return isShort ? encryption.encrypt(form, settings.savedFormMs, PURPOSE) : null
}

/** @returns null for a form that has expired, or belongs to another browser or user */
export function openSavedForm(ctx: HttpContext, userId: string): SavedForm | null {
  const { savedForm } = ctx.request.body()
  if (typeof savedForm !== 'string') return null
  const saved = encryption.decrypt<SavedForm>(savedForm, PURPOSE)
  return saved?.ownerId === userId && saved.visit === ctx.session.get('visit') ? saved : null
}

/** 307 repeats the request; `restoreForm` reads the saved fields there. */
export function replayForm({ response }: HttpContext, saved: SavedForm) {
  return response.redirect().status(307).toPath(saved.path)
}

const unnamed = new WeakSet<HttpContext>()

/** Whether no page named the form to the user: somebody else could have left it in the browser. */
export function isUnnamed(ctx: HttpContext) {
  return unnamed.has(ctx)
}

/** Only a form that was saved for this path is restored. */
export function restoreForm(ctx: HttpContext) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const saved = openSavedForm(ctx, user.id)
  if (saved?.path !== pathOf(ctx)) return
  ctx.request.updateBody(saved.fields)
  if (!saved.isNamed) unnamed.add(ctx)
}
