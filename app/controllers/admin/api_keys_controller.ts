import { revokeKey } from '#auth/api_keys/revoke_keys'
import { flashKey, submitKey, getFlashedKey } from '#pages/account/api_key_form'
import { redirectWithNotice } from '#pages/redirect'
import { renderUser } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'

export default class ApiKeysController {
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const outcome = await submitKey(ctx, user, (key) => renderUser(ctx, { key }))
    if (!outcome.ok) return outcome.page
    flashKey(ctx, user, outcome.result)
    return ctx.response.redirect().status(303).toPath(`/admin/users/${user.id}/api-keys`)
  }

  /** A separate page, so that a reload neither makes another key nor shows this one again. */
  async show(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const made = getFlashedKey(ctx, user)
    const back = `/admin/users/${user.id}`
    if (made) return ctx.view.render('admin/users/api_key', { user, ...made, back })
    return redirectWithNotice(ctx, back, ctx.i18n.t('console.notice.key_once'))
  }

  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    await revokeKey(user.id, ctx.params.keyId, actorOf(ctx))
    return redirectWithNotice(
      ctx,
      `/admin/users/${user.id}`,
      ctx.i18n.t('console.notice.key_revoked')
    )
  }
}
