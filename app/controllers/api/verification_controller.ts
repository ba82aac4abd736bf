import { sourceOf } from '#http/request_source'
import { verifyEmail } from '#users/email_verification'
import { requestVerificationOfAddress, requestVerificationOf } from '#users/request_verification'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { throttleOwnMail } from '#auth/lockout/mail_budget'
import { E_UNAUTHORIZED } from '#auth/errors'
import { resendVerificationValidator, verifyEmailValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'
import type { HttpContext } from '@adonisjs/core/http'

export default class VerificationController {
  async verify(ctx: HttpContext) {
    const { token } = await bodyOf(ctx, verifyEmailValidator)
    await verifyEmail(token, sourceOf(ctx))
    return { message: 'Email verified', emailVerified: true }
  }

  /** Without a token, the body names the address. */
  async resend(ctx: HttpContext) {
    const { email } = await bodyOf(ctx, resendVerificationValidator)
    await this.#request(ctx, email)
    return ctx.response.accepted({
      message: 'If the address is waiting to be verified, a mail is on its way',
    })
  }

  /** Users with a session have their own limit, which other clients cannot use up. */
  async #request(ctx: HttpContext, email: string | undefined) {
    const caller = ctx.auth?.use('api').user
    if (caller) {
      await throttleOwnMail(ctx.request.ip(), caller.user.id)
      return requestVerificationOf(caller.user.id)
    }
    if (!email) throw new E_UNAUTHORIZED()
    await throttleAddress('mail', ctx.request.ip())
    return requestVerificationOfAddress(email)
  }
}
