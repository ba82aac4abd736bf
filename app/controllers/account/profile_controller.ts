import type { HttpContext } from '@adonisjs/core/http'
import { updateProfile } from '#users/profile'
import { personValidator } from '#validators/account'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { submit } from '#pages/forms/forms'
import { reauthenticationOf } from '#http/reauthentication'

export default class ProfileController {
  show(ctx: HttpContext) {
    return renderProfile(ctx)
  }

  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: personValidator,
      action: (values) => updateProfile(reauthenticationOf(ctx, {}), values),
      onError: (person) => renderProfile(ctx, { person }),
    })
    return outcome.ok ? redirectToAccount(ctx, { notice: 'person.saved' }) : outcome.page
  }
}
