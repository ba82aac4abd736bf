import User from '#models/user'
import { originOf } from '#http/request_origin'
import { requestVerification, verifyEmail } from '#users/email_verification'
import { throttleMail, throttleRedemption } from '#auth/lockout/throttle'
import { E_UNAUTHORIZED } from '#auth/errors'
import { resendVerificationValidator, verifyEmailValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'
import type { HttpContext } from '@adonisjs/core/http'

/** The address as it is now: a token may be older. */
async function addressOf(userId: string) {
  const user = await User.find(userId)
  return user?.email
}

/** The verification of an e-mail address by the link that was mailed to it. */
export default class VerificationController {
  async verify(ctx: HttpContext) {
    const { token } = await bodyOf(ctx, verifyEmailValidator)
    await throttleRedemption(ctx.request.ip())
    await verifyEmail(token, originOf(ctx))
    return { message: 'Email verified', emailVerified: true }
  }

  /** For the caller's own address, or for any that the body names. */
  async resend(ctx: HttpContext) {
    const body = await bodyOf(ctx, resendVerificationValidator)
    const caller = ctx.auth?.use('api').user
    const email = caller ? await addressOf(caller.id) : body.email
    if (!email) throw new E_UNAUTHORIZED()
    await throttleMail(ctx.request.ip(), email)
    await requestVerification(email)
    return ctx.response.accepted({
      message: 'If the address is waiting to be verified, a mail is on its way',
    })
  }
}
