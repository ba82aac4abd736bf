import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import { providerNames } from '#auth/external/providers'
import { providerTitle } from '#auth/external/provider_title'
import { getReauthenticatedUserOrFail } from '#auth/mfa/reauthentication'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { unlinkOwnProvider } from '#users/unlink_identity'
import { accountBase, redirectToAccount } from '#pages/account/account_page'
import { attempt } from '#pages/account/security_page'
import { codeText } from '#pages/forms/form_errors'
import { authorizationUrl } from '#http/authorization_url'
import { reauthenticationOf } from '#http/reauthentication'

export default class ProvidersController {
  /** The policy of forms allows only this site, so a page leads to the provider. */
  async link(ctx: HttpContext) {
    const { provider } = ctx.params
    const outcome = await attempt(ctx, async () => {
      const { id: userId } = await getReauthenticatedUserOrFail(reauthenticationOf(ctx, {}))
      const { session } = ctx.auth.use('web').getUserOrFail()
      const returnTo = `${appUrl}${accountBase(ctx)}/security/providers/${provider}/linked`
      return authorizationUrl(ctx, provider, {
        returnTo,
        linkTo: { userId, sessionId: session.id },
      })
    })
    if (!outcome.ok) return outcome.page
    const url = outcome.result.href
    const page = { title: providerTitle(provider), url, refresh: `0; url=${url}` }
    return ctx.view.render('account/security/go', page)
  }

  linked(ctx: HttpContext) {
    const { provider } = ctx.params
    if (!providerNames().includes(provider)) throw new E_NOT_FOUND()
    const { error } = ctx.request.qs()
    if (error === undefined) return this.#redirect(ctx, 'providers.linked')
    const problem = codeText(error, ctx.i18n, ctx.i18n.t('account.providers.failed'))
    ctx.session.flash('problem', problem)
    return ctx.response
      .redirect()
      .status(303)
      .toPath(`${accountBase(ctx)}/security`)
  }

  async unlink(ctx: HttpContext) {
    const { provider } = ctx.params
    if (!/^[a-z0-9-]{1,64}$/.test(provider)) throw new E_NOT_FOUND()
    const outcome = await attempt(ctx, () =>
      unlinkOwnProvider(reauthenticationOf(ctx, {}), provider)
    )
    return outcome.ok ? this.#redirect(ctx, 'providers.unlinked') : outcome.page
  }

  #redirect(ctx: HttpContext, notice: string) {
    const values = { provider: providerTitle(ctx.params.provider) }
    return redirectToAccount(ctx, { page: '/security', notice, values })
  }
}
