import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticateByPasskey } from '#auth/passkeys/reauthenticate_by_passkey'
import { sourceOf } from '#http/request_source'
import { passkeyOfForm } from '#http/passkey_form'
import { passkeyFormValidator, passkeyLoginValidator } from '#validators/passkeys'
import { requestedConfirmation } from '#pages/reauthentication/confirmation'
import { submit } from '#pages/forms/forms'
import { signInByPasskeyPage, verifyByPage } from '#pages/sign_in/page_sign_in'
import { renderCode, renderSignIn, respondToSignIn } from '#pages/sign_in/sign_in_pages'

/** A passkey replaces a password, a code, or both. */
export default class PasskeysController {
  async signIn(ctx: HttpContext) {
    const { savedForm } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      action: async () => signInByPasskeyPage(ctx, await responseOf(ctx)),
      onError: ({ errors }) => renderSignIn(ctx, { form: { input: {}, errors }, savedForm }),
    })
    return outcome.ok ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async verify(ctx: HttpContext) {
    const mfaToken = String(ctx.request.body().mfaToken)
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      action: async () => verifyByPage(ctx, { mfaToken, passkey: await responseOf(ctx) }),
      onError: ({ errors }) => renderCode(ctx, mfaToken, { form: { input: {}, errors } }),
    })
    return outcome.ok ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async confirm(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const confirmation = requestedConfirmation(ctx)
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      action: async () => {
        const answer = { response: await responseOf(ctx), from: sourceOf(ctx) }
        await reauthenticateByPasskey(user, session.id, answer)
      },
      onError: ({ errors }) => confirmation.renderAgain({ input: {}, errors }),
    })
    return outcome.ok ? confirmation.resume() : outcome.page
  }
}

async function responseOf(ctx: HttpContext) {
  const { response } = await passkeyOfForm(ctx, passkeyLoginValidator)
  return response
}
