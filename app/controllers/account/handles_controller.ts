import type { HttpContext } from '@adonisjs/core/http'
import { updateProfile } from '#users/profile'
import { handleValidator } from '#validators/account'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { submit } from '#pages/forms/forms'
import { provingCallerOf } from '#http/proving_caller'

export default class HandlesController {
  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: handleValidator,
      fields: { E_HANDLE_TAKEN: 'handle' },
      perform: (values) => updateProfile(provingCallerOf(ctx, {}), values),
      again: (handle) => renderProfile(ctx, { handle }),
    })
    return outcome.isDone ? redirectToAccount(ctx, { notice: 'handle.saved' }) : outcome.page
  }
}
