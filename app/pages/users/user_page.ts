import type { HttpContext } from '@adonisjs/core/http'
import type { I18n } from '@adonisjs/i18n'
import type User from '#models/user'
import oidc from '#config/oidc'
import { userGroupsOf } from '#pages/groups/user_groups'
import { listKeys } from '#auth/api_keys/list_keys'
import { scopesOf } from '#auth/api_keys/scopes'
import { ROLES } from '#models/roles'
import { getTargetUserOrFail } from '#http/target_user'
import { listAuditEventsAfter } from '#audit/trail/query'
import { findLinkMailId, writesMailFiles } from '#mails/log/mail_file'
import { listIdentities } from '#auth/external/list_identities'
import { listApplications } from '#oidc/grants/applications'
import { isInvited, isUnused } from '#users/invitations'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { listDevices } from '#auth/devices/list_devices'
import { listSessions } from '#auth/sessions/sessions'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_purposes'
import { eventLines } from '#transformers/admin/event_line'
import { findManaged } from '#configuration/managed'
import { redirectWithNotice } from '#pages/redirect'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, noFields, submit, type Form } from '#pages/forms/forms'

export const EDITABLE_FIELDS = [
  'email',
  'username',
  'handle',
  'nickname',
  'role',
  'emailVerified',
] as const
export type EditableField = (typeof EDITABLE_FIELDS)[number]

interface UserPage {
  form?: Form
  key?: Form
  groupForm?: Form
  problem?: string
}

export async function renderUser(ctx: HttpContext, page: UserPage = {}) {
  const user = await getTargetUserOrFail(ctx)
  const { form, key, groupForm, problem } = page
  return ctx.view.render('admin/users/show', {
    user,
    form: { ...(form ?? { input: editableOf(user), errors: {} }), managed: await managedOf(user) },
    /** A form with errors keeps the values that its page showed at first. */
    shown: form?.input.shown ?? JSON.stringify(editableOf(user)),
    problem: problem ?? null,
    ...(await listsOf(user, ctx.i18n)),
    keyForm: key ?? EMPTY_FORM,
    groupForm: groupForm ?? EMPTY_FORM,
    hasAccessPage: oidc.isOn && !user.isService,
    ...(await userGroupsOf(user)),
    formToken: issueFormToken(ctx),
    scopes: scopesOf(user),
    ownSessionId: ctx.auth.use('web').getUserOrFail().session.id,
    invited: isInvited(user),
    unused: isUnused(user),
    roles: ROLES.includes(user.role) ? ROLES : [...ROLES, user.role],
    resetValidity: ONE_TIME_TTL_MS.password_reset,
    secondFactor: secondFactorOf(user, ctx.i18n),
  })
}

function managedOf({ id, isService }: User) {
  return isService ? findManaged({ kind: 'service_account', id }) : null
}

function secondFactorOf({ mfaEnabled, hasPasskey }: User, i18n: I18n) {
  if (mfaEnabled) return i18n.t('console.users.mfa_on')
  return i18n.t(hasPasskey ? 'console.users.mfa_off_passkey' : 'console.users.mfa_off')
}

/** With mail files, the page of the user links to the file instead. */
export function mailNotice(text: string) {
  return writesMailFiles() ? null : text
}

async function listsOf({ id, email }: User, i18n: I18n) {
  const [apiKeys, sessions, applications, devices, identities, passkeys, linkMailId, { events }] =
    await Promise.all([
      listKeys(id),
      listSessions(id),
      listApplications(id),
      listDevices(id),
      listIdentities(id),
      listPasskeys(id),
      findLinkMailId(email),
      listAuditEventsAfter({ target: id }, { limit: 10 }),
    ])
  const lines = await eventLines(i18n, events)
  const lists = { apiKeys, sessions, applications, devices, identities, passkeys }
  return { ...lists, linkMailId, lines }
}

function editableOf(user: User) {
  const fields = EDITABLE_FIELDS.filter((field) => !user.isService || !/^email/.test(field))
  return Object.fromEntries(fields.map((field) => [field, valueOf(user, field)]))
}

function valueOf(user: User, field: EditableField) {
  return field === 'emailVerified' ? user.isEmailVerified : user[field]
}

/** Returns to the page with a notice or the reason of the refusal. */
export async function changeUser(
  ctx: HttpContext,
  action: () => Promise<unknown>,
  notice: string | null
) {
  const outcome = await submit(ctx, {
    validator: noFields,
    action,
    onError: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
  })
  return outcome.ok
    ? redirectWithNotice(ctx, `/admin/users/${ctx.params.id}`, notice)
    : outcome.page
}

/** The notice is the message `console.done.<name>`. */
type Done =
  | 'locked'
  | 'unlocked'
  | 'disabled'
  | 'enabled'
  | 'mfa_reset'
  | 'verified'
  | 'unlinked'
  | 'passkey_removed'
  | 'device_withdrawn'
  | 'application_withdrawn'
  | 'session_ended'
  | 'sessions_ended'

export async function changeTarget(
  ctx: HttpContext,
  change: (user: User) => Promise<unknown>,
  done: Done
) {
  const user = await getTargetUserOrFail(ctx)
  const values = { user: user.username, provider: ctx.params.provider ?? '' }
  return changeUser(ctx, () => change(user), ctx.i18n.t(`console.done.${done}`, values))
}
