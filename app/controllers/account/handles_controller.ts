import type { HttpContext } from '@adonisjs/core/http'
import { updateProfile } from '#users/profile'
import { handleValidator } from '#validators/account'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { submit } from '#pages/forms/forms'
import { reauthenticationOf } from '#http/reauthentication'

export default class HandlesController {
  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: handleValidator,
      fields: { E_HANDLE_TAKEN: 'handle' },
      action: (values) => updateProfile(reauthenticationOf(ctx, {}), values),
      onError: (handle) => renderProfile(ctx, { handle }),
    })
    return outcome.ok ? redirectToAccount(ctx, { notice: 'handle.saved' }) : outcome.page
  }
}
