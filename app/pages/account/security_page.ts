import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/mfa'
import { listKeys } from '#auth/api_keys/list_keys'
import { scopesOf } from '#auth/api_keys/scopes'
import { listDevices } from '#auth/devices/list_devices'
import { providerNames } from '#auth/external/providers'
import { countBackupCodes } from '#auth/mfa/backup_codes'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { listIdentities } from '#auth/external/list_identities'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, noFields, submit, type Form, type Outcome } from '#pages/forms/forms'
import { renderAccountPage } from './account_page.ts'
import type User from '#models/user'

interface SecurityPage {
  password?: Form
  key?: Form
  problem?: string
}

export async function renderSecurity(ctx: HttpContext, page: SecurityPage = {}) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const { password = EMPTY_FORM, key = EMPTY_FORM, problem = null } = page
  return renderAccountPage(ctx, 'security', {
    forms: { password, key },
    problem,
    isMfaRequired: user.isAdmin && settings.isRequiredOfAdmins && !user.hasPasskey,
    scopes: scopesOf(user),
    formToken: issueFormToken(ctx),
    ...(await listsOf(user)),
  })
}

async function listsOf({ id, mfaEnabled }: User) {
  const [identities, passkeys, devices, apiKeys] = [
    await listIdentities(id),
    await listPasskeys(id),
    await listDevices(id),
    await listKeys(id),
  ]
  const linked = identities.map(({ provider }) => provider)
  const linkable = providerNames().filter((name) => !linked.includes(name))
  const codesLeft = mfaEnabled ? await countBackupCodes(id) : 0
  return { identities, linkable, passkeys, devices, apiKeys, codesLeft }
}

/** Shows the refusal of an action on the page of its button. */
export function attempt<Done>(
  ctx: HttpContext,
  action: () => Promise<Done>
): Promise<Outcome<Done>> {
  return submit(ctx, {
    validator: noFields,
    action,
    onError: ({ errors }) => renderSecurity(ctx, { problem: Object.values(errors)[0][0] }),
  })
}
