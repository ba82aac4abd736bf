import limits from '#config/limits'
import signUp from '#config/sign_up'
import { E_TOKEN_REVOKED } from '#auth/errors'
import { Refusal, type RefusalClass } from '#exceptions/refusal'
import type { I18n } from '@adonisjs/i18n'

/** The messages beside each field; `form` contains the messages of the form as a whole. */
export type FormErrors = Record<string, string[]>

interface FieldError {
  field: string
  rule: string
  message: string
}

const VALUES = {
  limit: limits.apiKeys,
  passkeys: limits.passkeys,
  /** Settings change while a server runs. */
  get domains() {
    return signUp.domains.join(', ')
  },
}

/** @returns null for other errors, and for an ended session, whose page asks to sign in */
export function errorsOf(
  error: any,
  fields: Record<string, string>,
  i18n: I18n
): FormErrors | null {
  if (error?.code === 'E_VALIDATION_ERROR') {
    return groupByField(error.messages ?? translated(error, i18n))
  }
  const isShown = error instanceof Refusal && error.status < 500 && error.status !== 404
  if (!isShown || error instanceof E_TOKEN_REVOKED) return null
  return { [fields[error.code!] ?? 'form']: [refusalText(error, i18n)] }
}

export function refusalText(refusal: Refusal, i18n: I18n) {
  if (refusal.pageMessage) return i18n.t(refusal.pageMessage, refusal.values)
  const message = textOf(refusal, i18n)
  const count = refusal.members.attemptsRemaining
  if (typeof count === 'number') return i18n.t('errors.attempts_remaining', { message, count })
  const seconds = Number(refusal.headers['retry-after'])
  if (!seconds) return message
  return i18n.t('errors.retry_in', { message, minutes: Math.ceil(seconds / 60) })
}

/** A refusal that says more than its code keeps its English message. */
function textOf({ code, message, members, constructor }: Refusal, i18n: I18n) {
  const isOwn =
    message !== (constructor as RefusalClass).message && !('attemptsRemaining' in members)
  return isOwn ? message : codeText(code!, i18n, message)
}

export function codeText(code: string, i18n: I18n, fallback: string) {
  return i18n.t(`errors.codes.${code}`, VALUES, fallback)
}

/** Validators translate their own messages; refusals are in English. */
function translated({ members, values, pageMessage }: Refusal, i18n: I18n) {
  return (members.errors as FieldError[]).map(({ field, rule, message }) => {
    const key = pageMessage ?? `errors.validation.messages.${rule}`
    return { field, message: i18n.t(key, { ...VALUES, ...values }, message) }
  })
}

/** Errors in values of a list (`scopes.0`) are shown once, beside the list. */
function groupByField(messagesOfFields: { field: string; message: string }[]) {
  const errors: FormErrors = {}
  for (const { field, message } of messagesOfFields) {
    const [name] = field.split('.')
    const others = errors[name] ?? []
    errors[name] = others.includes(message) ? others : [...others, message]
  }
  return errors
}
