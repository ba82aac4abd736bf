import { randomBytes } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/console'
import { appUrl } from '#config/app'

/*
 | A form that arrives when its sender has been signed out, or has to prove anew who they
 | are, is not lost: it travels through the sign-in page, encrypted, and is sent on to
 | where it belongs by a redirect that repeats it (RFC 9110, section 15.4.8).
 */

const PURPOSE = 'console form'

/** A form beyond that size is not kept: it would not fit the answer's own limits. */
const MAX_LENGTH = 24_000

type Fields = Record<string, unknown>

interface SavedForm {
  path: string
  fields: Fields
  /** Whose form it is: nobody else can send it on. */
  ownerId: string
  /** The browser it was sent from: a form that somebody prepared elsewhere leads nowhere. */
  visit: string
  /** What it does, where its sender is asked to prove who they are. */
  purpose: string
}

/** Passwords and codes are typed again, never kept. */
const NEVER_SAVED = /password|code|secret|^_csrf$|^savedForm$/i

function pathOf({ request }: HttpContext) {
  return request.url(true)
}

const OWNER = 'signed-out'

/** Who signed out in this browser: a form that is still open in another tab is theirs. */
export function rememberOwner({ session }: HttpContext, userId: string) {
  session.put(OWNER, userId)
}

/** Whose form arrives: of who was signed in a moment ago, as the cookie or the session tells. */
export function formOwner({ session }: HttpContext, cookie: string): string {
  return cookie.split('.')[0] || session.get(OWNER, '')
}

/** A mark that the browser keeps in its encrypted session. */
function visitOf({ session }: HttpContext): string {
  const visit = session.get('visit') ?? randomBytes(16).toString('base64url')
  session.put('visit', visit)
  return visit
}

/** Keeps the form of this request; null when it is too long to be kept. */
export function saveForm(ctx: HttpContext, ownerId: string, purpose = ''): string | null {
  const fields = Object.entries(ctx.request.body()).filter(([name]) => !NEVER_SAVED.test(name))
  const saved = { path: pathOf(ctx), fields: Object.fromEntries(fields), ownerId, purpose }
  const form: SavedForm = { ...saved, visit: visitOf(ctx) }
  const isShort = JSON.stringify(form).length <= MAX_LENGTH
  return isShort ? encryption.encrypt(form, settings.savedFormMs, PURPOSE) : null
}

/** The form that was kept, if it was kept not long ago, in this browser and for this administrator. */
export function openSavedForm(ctx: HttpContext, userId: string): SavedForm | null {
  const { savedForm } = ctx.request.body()
  if (typeof savedForm !== 'string') return null
  const saved = encryption.decrypt<SavedForm>(savedForm, PURPOSE)
  return saved?.ownerId === userId && saved.visit === ctx.session.get('visit') ? saved : null
}

/** Sends the browser on with what it just sent; the target takes the kept fields out of it. */
export function replayForm({ response }: HttpContext, saved: SavedForm) {
  return response.redirect().status(307).toPath(saved.path)
}

/** Puts the kept fields into the place of those that were sent, where they belong to this request. */
export function restoreForm(ctx: HttpContext) {
  const saved = openSavedForm(ctx, ctx.caller.user.id)
  if (saved?.path === pathOf(ctx)) ctx.request.updateBody(saved.fields)
}

/** Where to go after signing in: a page of the console and nowhere else. */
export function nextPath(path: unknown) {
  const url = URL.parse(String(path), appUrl)
  const isOwn = url?.origin === new URL(appUrl).origin && /^\/admin(\/|$)/.test(url.pathname)
  return isOwn ? url.pathname + url.search : '/admin'
}
