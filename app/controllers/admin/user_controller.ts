import { deleteUser } from '#users/delete_user'
import { editUser } from '#users/edit_user'
import { updateServiceAccountFormValidator, updateUserFormValidator } from '#validators/admin'
import { redirectWithNotice } from '#pages/redirect'
import { noFields, submit } from '#pages/forms/forms'
import { changedFields } from '#pages/users/user_form'
import { renderUser } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

function pick<T extends object>(values: T, fields: (keyof T)[]): Partial<T> {
  return Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<T>
}

/** A service account has no address, so its form has no field for one. */
function validatorOf(user: User) {
  const validator = user.isService ? updateServiceAccountFormValidator : updateUserFormValidator
  return validator as typeof updateUserFormValidator
}

export default class UserController {
  show(ctx: HttpContext) {
    return renderUser(ctx)
  }

  async update(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const changed = changedFields(ctx)
    const outcome = await submit(ctx, {
      validator: validatorOf(user),
      fields: { E_EMAIL_TAKEN: 'email', E_HANDLE_TAKEN: 'handle', E_LAST_ADMIN: 'role' },
      action: (values) => editUser(user.id, pick(values, changed), actorOf(ctx)),
      onError: (form) => renderUser(ctx, { form }),
    })
    return outcome.ok
      ? redirectWithNotice(ctx, `/admin/users/${user.id}`, ctx.i18n.t('console.notice.saved'))
      : outcome.page
  }

  async delete(ctx: HttpContext) {
    return ctx.view.render('admin/users/delete', { user: await getTargetUserOrFail(ctx) })
  }

  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => deleteUser(user.id, actorOf(ctx)),
      onError: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
    })
    return outcome.ok
      ? redirectWithNotice(
          ctx,
          '/admin/users',
          ctx.i18n.t('console.notice.deleted', { user: user.label })
        )
      : outcome.page
  }
}
