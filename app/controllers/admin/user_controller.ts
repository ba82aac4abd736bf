import { deleteUser } from '#users/delete_user'
import { editUser } from '#users/edit_user'
import { canonicalEmail } from '#models/email'
import { updateServiceAccountFormValidator, updateUserFormValidator } from '#validators/admin'
import { askToConfirm, isConfirmed } from '#pages/reauthentication/reauthentication'
import { redirectWithNotice } from '#pages/redirect'
import { noFields, submit } from '#pages/forms/forms'
import { EDITABLE_FIELDS, renderUser, type EditableField } from '#pages/users/user_page'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

/**
 * The values that the page of the form showed, from its hidden field; empty without one.
 *
 * @throws E_BAD_REQUEST for a text that no page of ours has written
 */
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

/**
 * The fields that the administrator has changed. Others are left alone: a page that was
 * opened earlier must not undo what another administrator has changed since.
 */
function changedFields(ctx: HttpContext): EditableField[] {
  const shown = shownFields(ctx)
  const given = ctx.request.body()
  return EDITABLE_FIELDS.filter(
    (field) => !(field in shown) || text(given[field]) !== text(shown[field])
  )
}

function pick<T extends object>(values: T, fields: (keyof T)[]): Partial<T> {
  return Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<T>
}

/** A value as a form sends it: an unticked box and an empty field are the empty text. */
function text(value: unknown) {
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Role, address and verification need a recent password. The recipient of a user's mails
 * can set their password, and a verified address lets an external provider sign them in:
 * an attacker at an unattended console could take the account over.
 */
function needsReauthentication(ctx: HttpContext, user: User) {
  const changed = changedFields(ctx)
  const { role, email, emailVerified } = ctx.request.body()
  const address = canonicalEmail(text(email)) ?? user.email
  const isVerified = Boolean(emailVerified)
  return (
    (changed.includes('role') && role !== undefined && role !== user.role) ||
    (changed.includes('email') && address !== user.email) ||
    (changed.includes('emailVerified') && isVerified !== user.isEmailVerified)
  )
}

/** A service account has no address, so that its form has no field for one. */
function validatorOf(user: User) {
  const validator = user.isService ? updateServiceAccountFormValidator : updateUserFormValidator
  return validator as typeof updateUserFormValidator
}

/** One user: showing, editing and deleting. */
export default class UserController {
  show(ctx: HttpContext) {
    return renderUser(ctx)
  }

  async update(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (needsReauthentication(ctx, user) && !isConfirmed(ctx)) {
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.change_role', { user: user.label }))
    }
    const changed = changedFields(ctx)
    const outcome = await submit(ctx, {
      validator: validatorOf(user),
      fields: { E_EMAIL_TAKEN: 'email', E_LAST_ADMIN: 'role' },
      perform: (values) => editUser(user.id, pick(values, changed), actorOf(ctx)),
      again: (form) => renderUser(ctx, { form }),
    })
    return outcome.isDone
      ? redirectWithNotice(ctx, `/admin/users/${user.id}`, ctx.i18n.t('console.notice.saved'))
      : outcome.page
  }

  async delete(ctx: HttpContext) {
    return ctx.view.render('admin/users/delete', { user: await getTargetUserOrFail(ctx) })
  }

  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (!isConfirmed(ctx)) {
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.delete', { user: user.label }))
    }
    const outcome = await submit(ctx, {
      validator: noFields,
      perform: () => deleteUser(user.id, actorOf(ctx)),
      again: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
    })
    return outcome.isDone
      ? redirectWithNotice(
          ctx,
          '/admin/users',
          ctx.i18n.t('console.notice.deleted', { user: user.label })
        )
      : outcome.page
  }
}
