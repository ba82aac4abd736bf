import type { HttpContext } from '@adonisjs/core/http'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { getReauthenticatedUserOrFail } from '#auth/mfa/reauthentication'
import { redirectToAccount, renderAccountPage } from '#pages/account/account_page'
import { attempt, renderSecurity } from '#pages/account/security_page'
import { flashKey, submitKey, getFlashedKey } from '#pages/account/api_key_form'
import { accountBase } from '#pages/account/account_page'
import { reauthenticationOf } from '#http/reauthentication'

export default class ApiKeysController {
  async store(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const outcome = await submitKey(ctx, user, (key) => renderSecurity(ctx, { key }))
    if (!outcome.ok) return outcome.page
    flashKey(ctx, user, outcome.result)
    return ctx.response
      .redirect()
      .status(303)
      .toPath(`${accountBase(ctx)}/security/api-keys`)
  }

  /** A separate page, so that a reload neither makes another key nor shows this one again. */
  show(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const made = getFlashedKey(ctx, user)
    if (made) return renderAccountPage(ctx, 'security/api_key', made)
    return redirectToAccount(ctx, { page: '/security', notice: 'api_keys.shown' })
  }

  async destroy(ctx: HttpContext) {
    const outcome = await attempt(ctx, async () => {
      const caller = reauthenticationOf(ctx, {})
      await getReauthenticatedUserOrFail(caller)
      await revokeKey(caller.userId, ctx.params.id, caller.actor)
    })
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'api_keys.revoked' })
  }
}
