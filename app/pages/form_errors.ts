import { Refusal } from '#exceptions/refusal'

/** The messages beside each field; `form` holds those of the form as a whole. */
export type FormErrors = Record<string, string[]>

/** What a page shows of invalid input or a refusal; null for any other error. */
export function errorsOf(error: any, fields: Record<string, string>): FormErrors | null {
  if (error?.code === 'E_VALIDATION_ERROR') {
    return groupByField(error.messages ?? error.members.errors)
  }
  if (!(error instanceof Refusal) || error.status >= 500 || error.status === 404) return null
  return { [fields[error.code!] ?? 'form']: [messageOf(error)] }
}

/** The message of a refusal, with the time of the next attempt where there is one. */
function messageOf(refusal: Refusal) {
  const message = inSingular(refusal.message)
  const seconds = Number(refusal.headers['retry-after'])
  if (!seconds) return message
  const minutes = Math.ceil(seconds / 60)
  return `${message}. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** Clients of the API know the message with its plural, also of one attempt. */
function inSingular(message: string) {
  return message.replace(/\b1 attempts\b/, '1 attempt')
}

function groupByField(messagesOfFields: { field: string; message: string }[]) {
  const errors: FormErrors = {}
  for (const { field, message } of messagesOfFields) (errors[field] ??= []).push(message)
  return errors
}
