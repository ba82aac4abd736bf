import { lastBackupAt } from '#backup/last_backup'
import documentation from '#config/documentation'
import oidc from '#config/oidc'
import { appUrl } from '#config/app'
import { canProveTwoFactors } from '#auth/sessions/required_factors'
import { hasTestedMail } from '#mails/queue/test_mail'
import { writesMailFiles } from '#mails/log/mail_file'
import { hasClients } from '#oidc/clients/client_rows'
import { storedText } from '#settings/values/current'
import { isInEnv } from '#settings/values/definitions'
import { ensureSettings } from '#settings/values/ensure_settings'
import { hasInvited } from '#users/invitations'
import type User from '#models/user'

/* Each step is ticked by the state of the installation, and not by a click. */

export const STEPS = [
  'address',
  'brand',
  'mail',
  'sign_up',
  'application',
  'backup',
  'mfa',
  'invite',
  'docs',
] as const

export type StepName = (typeof STEPS)[number]

export interface StepState {
  isDone: boolean
  /** The page where the step is done. */
  link?: string
  /** The path of a form that completes the step immediately. */
  form?: string
  /** The key of the button; by default `do` of the step. */
  action?: string
  /** The last part of the key of its text, if the step has several texts. */
  text?: string
  values?: Record<string, string>
}

export interface StepSubject {
  administrator: User
  /** The address in the browser; null where it is unknown. */
  origin: string | null
  hasOpenedDocs: boolean
}

/** Leaves out a step that this installation does not need. */
export async function stepStates(subject: StepSubject): Promise<Map<StepName, StepState>> {
  await ensureSettings()
  const states: Record<StepName, StepState | null> = {
    address: addressStep(subject.origin),
    brand: step(isAnySet(['BRAND_NAME', 'BRAND_COLOR', 'BRAND_LOGO']), '/admin/settings#brand'),
    mail: await mailStep(),
    sign_up: step(isAnySet(['SIGN_UP', 'SIGN_UP_DOMAINS']), '/admin/settings#access'),
    application: oidc.isOn ? step(await hasClients(), '/admin/clients/create') : null,
    backup: step(isInEnv('BACKUP_EVERY') || (await lastBackupAt()) !== null),
    mfa: step(canProveTwoFactors(subject.administrator), '/admin/account/security'),
    invite: step(await hasInvited(), '/admin/users/invite'),
    docs: documentation.access === 'off' ? null : docsStep(subject.hasOpenedDocs),
  }
  const known = STEPS.map((name) => [name, states[name]] as const)
  return new Map(known.filter((entry): entry is [StepName, StepState] => entry[1] !== null))
}

function step(isDone: boolean, link?: string): StepState {
  return { isDone, link }
}

/** Links in mails, and applications, use `APP_URL` and no other address. */
function addressStep(origin: string | null): StepState | null {
  if (origin === null) return null
  const isDone = origin === new URL(appUrl).origin
  return { isDone, text: isDone ? 'same' : 'other', values: { origin, appUrl } }
}

async function mailStep(): Promise<StepState> {
  const isDone = await hasTestedMail()
  return writesMailFiles()
    ? { isDone, text: 'files', link: '/admin/settings#mail' }
    : { isDone, text: 'test', form: '/admin/mails/test', action: 'console.mails.send_test' }
}

function docsStep(isDone: boolean): StepState {
  return { isDone, form: '/admin/checklist/docs' }
}

function isAnySet(names: string[]) {
  return names.some((name) => isInEnv(name) || storedText(name) !== undefined)
}
