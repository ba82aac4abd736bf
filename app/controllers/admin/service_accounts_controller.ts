import { createServiceAccountFormValidator } from '#validators/admin'
import { ROLES } from '#models/roles'
import { redirectWithNotice } from '#pages/redirect'
import { addServiceAccountOnce } from '#pages/users/add_user_once'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import type { HttpContext } from '@adonisjs/core/http'

export default class ServiceAccountsController {
  create(ctx: HttpContext, form: Form = EMPTY_FORM) {
    const formToken = issueFormToken(ctx)
    return ctx.view.render('admin/users/create_service', { form, formToken, roles: ROLES })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: createServiceAccountFormValidator,
      action: (values) => addServiceAccountOnce(ctx, values),
      onError: (form) => this.create(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    const path = `/admin/users/${outcome.result.id}`
    return redirectWithNotice(ctx, path, ctx.i18n.t('console.notice.service_created'))
  }
}
