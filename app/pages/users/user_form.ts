import type { HttpContext } from '@adonisjs/core/http'
import { canonicalEmail } from '#models/email'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import { EDITABLE_FIELDS, type EditableField } from './user_page.ts'
import type User from '#models/user'

/** An outdated page must not undo what another administrator has changed since. */
export function changedFields(ctx: HttpContext): EditableField[] {
  const shown = shownFields(ctx)
  const given = ctx.request.body()
  return EDITABLE_FIELDS.filter(
    (field) => !(field in shown) || text(given[field]) !== text(shown[field])
  )
}

/** @throws E_BAD_REQUEST for a hidden field that no page of ours has written */
function shownFields({ request }: HttpContext): Record<string, unknown> {
  const { shown } = request.body()
  if (shown === undefined) return {}
  const fields = parseJson(shown)
  if (!fields || typeof fields !== 'object') throw new E_BAD_REQUEST()
  return fields
}

function parseJson(json: unknown) {
  try {
    return JSON.parse(String(json))
  } catch {
    return null
  }
}

/** Returns an empty text for an unticked box and for an empty field. */
function text(value: unknown) {
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** An attacker at an unattended console could take an account over by its address, handle, verification or role. */
export function changesAccess(ctx: HttpContext, user: User) {
  const changed = changedFields(ctx)
  const { role, email, handle, emailVerified } = ctx.request.body()
  const address = canonicalEmail(text(email)) ?? user.email
  const isVerified = Boolean(emailVerified)
  return (
    (changed.includes('role') && role !== undefined && role !== user.role) ||
    (changed.includes('handle') && handle !== undefined && handle !== user.handle) ||
    (changed.includes('email') && address !== user.email) ||
    (changed.includes('emailVerified') && isVerified !== user.isEmailVerified)
  )
}
