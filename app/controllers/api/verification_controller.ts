import User from '#models/user'
import { originOf } from '#http/request_origin'
import {
  requestVerification,
  requestVerificationByStranger,
  verifyEmail,
} from '#users/email_verification'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { throttleOwnMail } from '#auth/lockout/throttle'
import { E_UNAUTHORIZED } from '#auth/errors'
import { resendVerificationValidator, verifyEmailValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'
import type { HttpContext } from '@adonisjs/core/http'

/** The current address of a user: the one in the access token may be older. */
async function addressOf(userId: string) {
  const user = await User.find(userId)
  return user?.email
}

/** Verifying an e-mail address by the link of a mail. */
export default class VerificationController {
  async verify(ctx: HttpContext) {
    const { token } = await bodyOf(ctx, verifyEmailValidator)
    await verifyEmail(token, originOf(ctx))
    return { message: 'Email verified', emailVerified: true }
  }

  /** For the caller's own address, or without a token for the one in the body. */
  async resend(ctx: HttpContext) {
    const body = await bodyOf(ctx, resendVerificationValidator)
    const caller = ctx.auth?.use('api').user
    const email = caller ? await addressOf(caller.user.id) : body.email
    if (!email) throw new E_UNAUTHORIZED()
    await this.#request(ctx, email)
    return ctx.response.accepted({
      message: 'If the address is waiting to be verified, a mail is on its way',
    })
  }

  /** The owner of a session has a limit of their own, which strangers cannot use up. */
  async #request(ctx: HttpContext, email: string) {
    const caller = ctx.auth?.use('api').user
    if (!caller) {
      await throttleAddress('mail', ctx.request.ip())
      return requestVerificationByStranger(email)
    }
    await throttleOwnMail(ctx.request.ip(), caller.user.id)
    return requestVerification(email)
  }
}
