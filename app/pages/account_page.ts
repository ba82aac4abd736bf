import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/mfa'
import { listKeys } from '#auth/api_keys/list_keys'
import { scopesOf } from '#auth/api_keys/scopes'
import { countBackupCodes } from '#auth/mfa/backup_codes'
import { listSessions } from '#auth/sessions/sessions'
import { issueFormToken } from './form_token.ts'
import { EMPTY_FORM, type Form } from './forms.ts'
import { passwordHint } from './password_hint.ts'

/** The forms of the page: the submitted one is shown again, the others are empty. */
interface AccountForms {
  password?: Form
  setup?: Form
  codes?: Form
  disable?: Form
  key?: Form
}

export async function renderAccount(ctx: HttpContext, given: AccountForms = {}) {
  const { user, session, hasRecentProof } = ctx.auth.use('web').getUserOrFail()
  const empty = { password: EMPTY_FORM, setup: EMPTY_FORM, codes: EMPTY_FORM, disable: EMPTY_FORM }
  return ctx.view.render('admin/account', {
    user,
    hasRecentProof,
    forms: { ...empty, ...given },
    isRequired: settings.isRequiredOfAdmins,
    codesLeft: user.mfaEnabled ? await countBackupCodes(user.id) : 0,
    apiKeys: await listKeys(user.id),
    keyForm: given.key ?? EMPTY_FORM,
    formToken: issueFormToken(ctx),
    scopes: scopesOf(user),
    sessions: await listSessions(user.id),
    ownSessionId: session.id,
    passwordHint,
  })
}
