import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import { getProviderOrFail, providerNames } from '#auth/external/providers'
import { findOrCreateUserByIdentity, type IdentifiedUser } from '#users/find_or_create_user'
import { listIdentities } from '#auth/external/list_identities'
import { linkIdentity } from '#users/identities'
import { unlinkOwnProvider } from '#users/unlink_identity'
import { issueExternalCode, redeemExternalCode } from '#auth/external/exchange_code'
import { recordRefusedLogin } from '#auth/external/refused_login'
import { useStateOrFail } from '#auth/external/used_states'
import { hasCookies } from '#auth/guards/api/token_cookies'
import { sessionCookie } from '#auth/guards/web/session_cookie'
import { getReauthenticatedUserOrFail } from '#auth/mfa/reauthentication'
import { findWebSession } from '#auth/sessions/web_session'
import { signInExternally } from '#auth/sign_in/sign_in_externally'
import { E_EXTERNAL_DENIED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { Refusal } from '#exceptions/refusal'
import { isCrossOrigin } from '#http/browser_origin'
import { reauthenticationOf } from '#http/reauthentication'
import { deviceOf, sourceOf } from '#http/request_source'
import { externalCodeValidator, reauthenticationValidator } from '#validators/auth'
import { signInResponse } from '#http/sign_in_response'
import { bodyOf } from '#http/request_body'
import { ensureSettings } from '#settings/values/ensure_settings'
import type { ExternalIdentity } from '#auth/external/provider'
import { redirectUri } from '#auth/external/redirect_uri'
import {
  pullAuthorizationRequestOrFail,
  type PendingAuthorization,
} from '#http/authorization_request_cookie'
import { authorizationUrl, type LoginGoal } from '#http/authorization_url'
import { saveExternalOutcome } from '#http/external_outcome_cookie'
import { nextPath } from '#pages/sign_in/next_path'
import { parseCodeChallenge, parseReturnTo } from '#http/authorization_parameters'

export default class ExternalController {
  async index() {
    await ensureSettings()
    return providerNames().map((name) => ({ name, url: `${appUrl}/auth/external/${name}` }))
  }

  /** `next` starts a sign-in to the pages; `prompt=login` makes the provider authenticate again. */
  async start(ctx: HttpContext) {
    if (await mayReplaceSession(ctx)) return this.#ask(ctx)
    const { returnTo: address, code_challenge: challenge, next, prompt } = ctx.request.qs()
    const isReauthentication = prompt === 'login'
    if (next !== undefined) {
      return this.#redirect(ctx, { next: nextPath(next), isReauthentication })
    }
    const returnTo = parseReturnTo(address)
    const codeChallenge = parseCodeChallenge(challenge, returnTo)
    return this.#redirect(ctx, { returnTo, codeChallenge, isReauthentication })
  }

  /** Redirects to a page of this site, whose link starts the login. */
  #ask({ params, response }: HttpContext) {
    const path = `/sign-in/external/${encodeURIComponent(params.provider)}`
    return response.redirect().status(302).withQs().toPath(path)
  }

  async #redirect(ctx: HttpContext, goal: LoginGoal) {
    const url = await authorizationUrl(ctx, ctx.params.provider, goal)
    return ctx.response.redirect().status(302).toPath(url.href)
  }

  /** The client sends the browser of its user to this URL. */
  async link(ctx: HttpContext) {
    const returnTo = parseReturnTo(ctx.request.qs().returnTo)
    const caller = reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    await getReauthenticatedUserOrFail(caller)
    const linkTo = { userId: caller.userId, sessionId: caller.sessionId }
    const url = await authorizationUrl(ctx, ctx.params.provider, { returnTo, linkTo })
    return { url: url.href }
  }

  /** Answers in JSON, or by a redirect to `returnTo` with a code or an error. */
  async callback(ctx: HttpContext) {
    const pending = await this.#audited(ctx, () => this.#takeRequest(ctx))
    if (pending.next) return this.#returnToPage(ctx, pending, pending.next)
    if (!pending.returnTo) return this.#respondInJson(ctx, pending)
    const target = new URL(pending.returnTo)
    try {
      const [name, value] = await this.#redirectParameter(ctx, pending)
      target.searchParams.set(name, value)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      target.searchParams.set('error', error.code!)
    }
    return ctx.response.redirect().status(302).toPath(target.href)
  }

  /** Continues in `app/controllers/pages/external_sign_ins_controller.ts`. */
  async #returnToPage(ctx: HttpContext, pending: PendingAuthorization, next: string) {
    try {
      const [, code] = await this.#redirectParameter(ctx, pending)
      saveExternalOutcome(ctx, { next, code })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, message, status } = error
      saveExternalOutcome(ctx, { next, problem: { code: code!, message, status } })
    }
    return ctx.response.redirect().status(303).toPath('/sign-in/external')
  }

  async #takeRequest(ctx: HttpContext) {
    const pending = pullAuthorizationRequestOrFail(ctx)
    await useStateOrFail(pending.state)
    return pending
  }

  async #audited<T>(
    ctx: HttpContext,
    step: () => Promise<T>,
    identity?: ExternalIdentity
  ): Promise<T> {
    try {
      return await step()
    } catch (error) {
      const { provider } = ctx.params
      await recordRefusedLogin(error, { provider, identity, from: sourceOf(ctx) })
      throw error
    }
  }

  async #respondInJson(ctx: HttpContext, pending: PendingAuthorization) {
    const identified = await this.#conclude(ctx, pending)
    if (identified === 'linked') return { message: 'Provider linked' }
    return signInResponse(ctx, await signInExternally({ ...identified, device: deviceOf(ctx) }))
  }

  async #redirectParameter(
    ctx: HttpContext,
    pending: PendingAuthorization
  ): Promise<[string, string]> {
    const identified = await this.#conclude(ctx, pending)
    if (identified === 'linked') return ['linked', pending.provider]
    return ['code', await issueExternalCode(identified, pending.codeChallenge)]
  }

  async #conclude(ctx: HttpContext, pending: PendingAuthorization) {
    const identity = await this.#audited(ctx, () => this.#identify(ctx, pending))
    const from = sourceOf(ctx)
    const { linkTo } = pending
    const step = linkTo
      ? () => linkIdentity(linkTo, identity, from).then(() => 'linked' as const)
      : () => findOrCreateUserByIdentity(identity, from)
    return this.#audited<IdentifiedUser | 'linked'>(ctx, step, identity)
  }

  async #identify({ request }: HttpContext, pending: PendingAuthorization) {
    if (request.qs().error !== undefined) throw new E_EXTERNAL_DENIED()
    const provider = await getProviderOrFail(pending.provider)
    const callback = new URL(redirectUri(pending.provider))
    callback.search = new URLSearchParams(request.qs()).toString()
    return provider.identify(pending, callback)
  }

  async exchange(ctx: HttpContext) {
    const { code, code_verifier: verifier } = await bodyOf(ctx, externalCodeValidator)
    const external = await redeemExternalCode(code, verifier)
    return signInResponse(ctx, await signInExternally({ ...external, device: deviceOf(ctx) }))
  }

  identities({ auth }: HttpContext) {
    return listIdentities(auth.use('api').getUserOrFail().user.id)
  }

  async unlink(ctx: HttpContext) {
    const { provider } = ctx.params
    if (!/^[a-z0-9-]{1,64}$/.test(provider)) throw new E_NOT_FOUND()
    const caller = reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    await unlinkOwnProvider(caller, provider)
    return { message: 'Provider unlinked' }
  }
}

/**
 * Another site could move the browser to the account that is open at the provider (login CSRF). With
 * `returnTo` the code goes to an application, which keeps its session by its `code_challenge`.
 */
async function mayReplaceSession(ctx: HttpContext) {
  if (!isCrossOrigin(ctx)) return false
  const { next, returnTo } = ctx.request.qs()
  if (next !== undefined) return (await findWebSession(sessionCookie(ctx), Date.now())) !== null
  // Browsers withhold strict cookies from this request: any could be replaced.
  return hasCookies && returnTo === undefined
}
