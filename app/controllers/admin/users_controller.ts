import { createUserFormValidator } from '#validators/admin'
import { ROLES } from '#models/roles'
import { redirectWithNotice } from '#pages/redirect'
import { addUserOnce } from '#pages/users/add_user_once'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import { userListPage } from '#pages/users/user_list_page'
import { parseUserListQuery } from '#pages/users/user_list_query'
import type { HttpContext } from '@adonisjs/core/http'

export default class UsersController {
  async index({ auth, request, view, i18n }: HttpContext) {
    const query = await parseUserListQuery(request.qs())
    const { user } = auth.use('web').getUserOrFail()
    const page = await userListPage(query ?? {}, { i18n, userId: user.id })
    return view.render('admin/users/index', { ...page, hasInvalidFilter: query === null })
  }

  create(ctx: HttpContext, form: Form = EMPTY_FORM) {
    const formToken = issueFormToken(ctx)
    const page = { form, formToken, roles: ROLES }
    return ctx.view.render('admin/users/create', page)
  }

  /** The administrator knows the password, so the user must choose another one. */
  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: createUserFormValidator,
      fields: { E_EMAIL_TAKEN: 'email' },
      action: (values) => addUserOnce(ctx, { ...values, mustChangePassword: true }),
      onError: (form) => this.create(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    return redirectWithNotice(
      ctx,
      `/admin/users/${outcome.result.id}`,
      ctx.i18n.t('console.notice.created')
    )
  }
}
