import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import { getProviderOrFail, providerNames } from '#auth/external/providers'
import { findOrCreateUserByIdentity } from '#users/find_or_create_user'
import { linkIdentity, unlinkProvider } from '#users/identities'
import { issueExternalCode, redeemExternalCode } from '#auth/external/exchange_code'
import { assertRecentAuthentication } from '#auth/mfa/reauthentication'
import { throttleExternal } from '#auth/lockout/throttle'
import { signInExternally } from '#auth/sign_in/sign_in'
import { E_EXTERNAL_DENIED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { Refusal } from '#exceptions/refusal'
import { actorOf, deviceOf, originOf } from '#http/request_origin'
import { externalCodeValidator, linkValidator } from '#validators/auth'
import { signInResponse } from '#http/sign_in_response'
import { bodyOf } from '#http/request_body'
import {
  allowedReturn,
  redirectUri,
  savePendingLogin,
  takePendingLogin,
  type PendingLogin,
} from '#http/external_login_state'

/** Login through an external provider, and the links to it. */
export default class ExternalController {
  index() {
    return providerNames.map((name) => ({ name, url: `${appUrl}/auth/external/${name}` }))
  }

  /** Sends the browser to the provider. */
  async start(ctx: HttpContext) {
    const returnTo = allowedReturn(ctx.request.qs().returnTo)
    const url = await this.#begin(ctx, { returnTo })
    return ctx.response.redirect().status(302).toPath(url.href)
  }

  /** Where the browser of somebody who is logged in goes to have an identity linked. */
  async link(ctx: HttpContext) {
    const returnTo = allowedReturn(ctx.request.qs().returnTo)
    const { id: userId, sessionId } = ctx.auth.use('api').getUserOrFail()
    const linkTo = { userId, sessionId }
    await assertRecentAuthentication(linkTo, await bodyOf(ctx, linkValidator))
    const url = await this.#begin(ctx, { returnTo, linkTo })
    return { url: url.href }
  }

  async #begin(ctx: HttpContext, goal: Pick<PendingLogin, 'returnTo' | 'linkTo'>) {
    await throttleExternal(ctx.request.ip())
    const provider = await getProviderOrFail(ctx.params.provider)
    const pending = savePendingLogin(ctx, { provider: provider.name, ...goal })
    return provider.authorizationUrl(pending, redirectUri(provider.name))
  }

  /** The browser comes back: an answer in JSON, or on to `returnTo` with a code or an error. */
  async callback(ctx: HttpContext) {
    await throttleExternal(ctx.request.ip())
    const pending = takePendingLogin(ctx)
    if (!pending.returnTo) return this.#finish(ctx, pending)
    const onward = new URL(pending.returnTo)
    try {
      const [name, value] = await this.#outcome(ctx, pending)
      onward.searchParams.set(name, value)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      onward.searchParams.set('error', error.code!)
    }
    return ctx.response.redirect().status(302).toPath(onward.href)
  }

  async #finish(ctx: HttpContext, pending: PendingLogin) {
    const identity = await this.#identify(ctx, pending)
    if (pending.linkTo) {
      await linkIdentity(pending.linkTo, identity, originOf(ctx))
      return { message: 'Provider linked' }
    }
    const user = await findOrCreateUserByIdentity(identity, originOf(ctx))
    const method = identity.provider
    return signInResponse(ctx, await signInExternally({ user, method, device: deviceOf(ctx) }))
  }

  async #outcome(ctx: HttpContext, pending: PendingLogin): Promise<[string, string]> {
    const identity = await this.#identify(ctx, pending)
    if (pending.linkTo) {
      await linkIdentity(pending.linkTo, identity, originOf(ctx))
      return ['linked', identity.provider]
    }
    const user = await findOrCreateUserByIdentity(identity, originOf(ctx))
    return ['code', await issueExternalCode(user, identity.provider)]
  }

  async #identify({ request }: HttpContext, pending: PendingLogin) {
    if (request.qs().error !== undefined) throw new E_EXTERNAL_DENIED()
    const provider = await getProviderOrFail(pending.provider)
    const callback = new URL(redirectUri(pending.provider))
    callback.search = new URLSearchParams(request.qs()).toString()
    return provider.identify(pending, callback)
  }

  /** The code that the browser brought back, for the tokens of a session. */
  async exchange(ctx: HttpContext) {
    const { code } = await bodyOf(ctx, externalCodeValidator)
    await throttleExternal(ctx.request.ip())
    const external = await redeemExternalCode(code)
    return signInResponse(ctx, await signInExternally({ ...external, device: deviceOf(ctx) }))
  }

  async unlink(ctx: HttpContext) {
    const { provider } = ctx.params
    if (!/^[a-z0-9-]{1,64}$/.test(provider)) throw new E_NOT_FOUND()
    await unlinkProvider(ctx.auth.use('api').getUserOrFail().id, provider, actorOf(ctx))
    return { message: 'Provider unlinked' }
  }
}
