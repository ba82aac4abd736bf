import { resendInvitation, revokeInvitation } from '#users/invitations'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_purposes'
import { inviteValidator } from '#validators/admin'
import { ROLES } from '#models/roles'
import { mailNotice } from '#pages/users/user_page'
import { redirectWithNotice } from '#pages/redirect'
import { addUserOnce } from '#pages/users/add_user_once'
import { issueFormToken } from '#pages/forms/form_token'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import type { HttpContext } from '@adonisjs/core/http'

export default class InvitationsController {
  create(ctx: HttpContext, form: Form = EMPTY_FORM) {
    const validity = ONE_TIME_TTL_MS.invitation
    const formToken = issueFormToken(ctx)
    return ctx.view.render('admin/users/invite', { form, formToken, roles: ROLES, validity })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: inviteValidator,
      fields: { E_EMAIL_TAKEN: 'email' },
      action: (values) => addUserOnce(ctx, values),
      onError: (form) => this.create(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    const { id, email } = outcome.result
    return redirectWithNotice(
      ctx,
      `/admin/users/${id}`,
      mailNotice(ctx.i18n.t('console.notice.invited', { email }))
    )
  }

  async resend(ctx: HttpContext) {
    const { id, email } = await resendInvitation(await getTargetUserOrFail(ctx), actorOf(ctx))
    return redirectWithNotice(
      ctx,
      `/admin/users/${id}`,
      mailNotice(ctx.i18n.t('console.notice.reinvited', { email }))
    )
  }

  async revoke(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const { email } = user
    await revokeInvitation(user, actorOf(ctx))
    return redirectWithNotice(
      ctx,
      '/admin/users?status=invited',
      ctx.i18n.t('console.notice.taken_back', { email })
    )
  }
}
