import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticateByPasskey } from '#auth/passkeys/reauthenticate_by_passkey'
import { originOf } from '#http/request_origin'
import { passkeyOfForm } from '#http/passkey_form'
import { passkeyFormValidator, passkeyLoginValidator } from '#validators/passkeys'
import { submit } from '#pages/forms'
import { openSavedForm, replayForm } from '#pages/form_replay'
import { signInByPasskeyPage, verifyByPage } from '#pages/page_sign_in'
import { renderConfirmation } from '#pages/reauthentication'
import { renderCode, renderSignIn, requestedNext, respondToSignIn } from '#pages/sign_in_pages'

/** A passkey in place of what a page asks for: password, code, or both once more. */
export default class PasskeysController {
  async signIn(ctx: HttpContext) {
    const { savedForm } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      perform: async () => signInByPasskeyPage(ctx, await responseOf(ctx)),
      again: ({ errors }) => renderSignIn(ctx, { form: { input: {}, errors }, savedForm }),
    })
    return outcome.isDone ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async verify(ctx: HttpContext) {
    const mfaToken = String(ctx.request.body().mfaToken)
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      perform: async () => verifyByPage(ctx, { mfaToken, passkey: await responseOf(ctx) }),
      again: ({ errors }) => renderCode(ctx, mfaToken, { form: { input: {}, errors } }),
    })
    return outcome.isDone ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async confirm(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const { savedForm } = ctx.request.body()
    const next = requestedNext(ctx)
    const saved = openSavedForm(ctx, user.id)
    const page = { next, savedForm, purpose: saved?.purpose }
    const outcome = await submit(ctx, {
      validator: passkeyFormValidator,
      perform: async () => {
        const proof = { response: await responseOf(ctx), from: originOf(ctx) }
        await reauthenticateByPasskey(user, session.id, proof)
      },
      again: ({ errors }) => renderConfirmation(ctx, { ...page, form: { input: {}, errors } }),
    })
    if (!outcome.isDone) return outcome.page
    return saved ? replayForm(ctx, saved) : ctx.response.redirect().status(303).toPath(next)
  }
}

async function responseOf(ctx: HttpContext) {
  const { response } = await passkeyOfForm(ctx, passkeyLoginValidator)
  return response
}
