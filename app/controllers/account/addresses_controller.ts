import type { HttpContext } from '@adonisjs/core/http'
import { throttleOwnMail } from '#auth/lockout/mail_budget'
import { requestVerificationOf } from '#users/email_verification'
import { updateProfile } from '#users/profile'
import { addressValidator } from '#validators/account'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { noFields, submit } from '#pages/forms/forms'
import { provingCallerOf } from '#http/proving_caller'

export default class AddressesController {
  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: addressValidator,
      perform: ({ email }) => {
        return updateProfile(provingCallerOf(ctx, {}), { email, hidesTaken: true })
      },
      again: (address) => renderProfile(ctx, { address }),
    })
    if (!outcome.isDone) return outcome.page
    const { email, presentPendingEmail } = outcome.result
    const values = { email: presentPendingEmail ?? email }
    return redirectToAccount(ctx, { notice: 'address.sent', values })
  }

  async resend(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const outcome = await submit(ctx, {
      validator: noFields,
      perform: async () => {
        await throttleOwnMail(ctx.request.ip(), user.id)
        await requestVerificationOf(user.id)
      },
      again: (address) => renderProfile(ctx, { address }),
    })
    return outcome.isDone ? redirectToAccount(ctx, { notice: 'address.resent' }) : outcome.page
  }

  /** The current address replaces the pending one. */
  async withdraw(ctx: HttpContext) {
    const { email } = ctx.auth.use('web').getUserOrFail().user
    await updateProfile(provingCallerOf(ctx, {}), { email })
    return redirectToAccount(ctx, { notice: 'address.withdrawn' })
  }
}
