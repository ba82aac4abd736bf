import type { HttpContext } from '@adonisjs/core/http'
import { removeOwnPasskey, renamePasskey } from '#auth/passkeys/manage_passkeys'
import { registerPasskey } from '#auth/passkeys/register_passkey'
import { registrationOptions } from '#auth/passkeys/registration_options'
import { passkeyOfForm } from '#http/passkey_form'
import { reauthenticationOf } from '#http/reauthentication'
import { redirectToAccount, renderAccountPage } from '#pages/account/account_page'
import { attempt, renderSecurity } from '#pages/account/security_page'
import { submit } from '#pages/forms/forms'
import {
  newPasskeyFormValidator,
  passkeyNameValidator,
  registrationValidator,
} from '#validators/passkeys'

export default class PasskeysController {
  async create(ctx: HttpContext) {
    const outcome = await attempt(ctx, () => registrationOptions(reauthenticationOf(ctx, {})))
    if (!outcome.ok) return outcome.page
    const options = JSON.stringify(outcome.result)
    return renderAccountPage(ctx, 'security/passkey_new', { options })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: newPasskeyFormValidator,
      action: async ({ name }) => {
        const { response } = await passkeyOfForm(ctx, registrationValidator)
        return registerPasskey(reauthenticationOf(ctx, {}), { response, name: name ?? undefined })
      },
      onError: ({ errors }) => renderSecurity(ctx, { problem: Object.values(errors)[0][0] }),
    })
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'passkeys.added' })
  }

  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: passkeyNameValidator,
      action: ({ name }) => {
        const { userId, actor } = reauthenticationOf(ctx, {})
        return renamePasskey({ userId, id: ctx.params.id, actor }, name)
      },
      onError: ({ errors }) => renderSecurity(ctx, { problem: Object.values(errors)[0][0] }),
    })
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'passkeys.renamed' })
  }

  async destroy(ctx: HttpContext) {
    const outcome = await attempt(ctx, () =>
      removeOwnPasskey(reauthenticationOf(ctx, {}), ctx.params.id)
    )
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'passkeys.removed' })
  }
}
