import type { HttpContext } from '@adonisjs/core/http'
import { throttleOwnMail } from '#auth/lockout/mail_budget'
import { requestVerificationOf } from '#users/request_verification'
import { updateProfile } from '#users/profile'
import { addressValidator } from '#validators/account'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { noFields, submit } from '#pages/forms/forms'
import { reauthenticationOf } from '#http/reauthentication'

export default class AddressesController {
  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: addressValidator,
      action: ({ email }) => {
        return updateProfile(reauthenticationOf(ctx, {}), { email, hidesTaken: true })
      },
      onError: (address) => renderProfile(ctx, { address }),
    })
    if (!outcome.ok) return outcome.page
    const { email, currentPendingEmail } = outcome.result
    const values = { email: currentPendingEmail ?? email }
    return redirectToAccount(ctx, { notice: 'address.sent', values })
  }

  async resend(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const outcome = await submit(ctx, {
      validator: noFields,
      action: async () => {
        await throttleOwnMail(ctx.request.ip(), user.id)
        await requestVerificationOf(user.id)
      },
      onError: (address) => renderProfile(ctx, { address }),
    })
    return outcome.ok ? redirectToAccount(ctx, { notice: 'address.resent' }) : outcome.page
  }

  /** The current address replaces the pending one. */
  async withdraw(ctx: HttpContext) {
    const { email } = ctx.auth.use('web').getUserOrFail().user
    await updateProfile(reauthenticationOf(ctx, {}), { email })
    return redirectToAccount(ctx, { notice: 'address.withdrawn' })
  }
}
