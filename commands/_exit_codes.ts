import { withoutStatement } from '#database/without_statement'

/** Scripts depend on exit codes. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
} as const

/** An error in the command line itself, with its remedy. */
export class UsageError extends Error {}

const FILE_ERRORS: Record<string, string> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not there',
  EACCES: 'may not be used by this user',
}

/** Says what is wrong with a given file, in words that follow its name. */
export function unreadableFile({ code = '' }: NodeJS.ErrnoException) {
  return FILE_ERRORS[code] ?? `cannot be used (${code})`
}

/** Says what is wrong with the name of a file to write, in words that follow this name. */
export function unwritableFile(error: NodeJS.ErrnoException) {
  return error.code === 'ENOENT' ? 'has no such folder' : unreadableFile(error)
}

const REFUSED_STATUSES = new Set([400, 403, 409, 413, 422])

export async function exitCodeOf(error: any): Promise<number> {
  if (error instanceof UsageError) return EXIT.usage
  const { Refusal } = await import('#exceptions/refusal')
  const { isDependencyDown } = await import('#exceptions/dependency_failures')
  if (error.code === 'E_VALIDATION_ERROR') return EXIT.usage
  if (error instanceof Refusal && error.status === 404) return EXIT.notFound
  if (error instanceof Refusal && REFUSED_STATUSES.has(error.status)) return EXIT.refused
  if (isDependencyDown(error) || error.code === 'ECONNREFUSED') return EXIT.unavailable
  return EXIT.failed
}

/** Returns one line for standard error: the reason, after the subject if the reason lacks it. */
export function withSubject(reason: string, subject?: string) {
  return subject === undefined || reason.includes(subject) ? reason : `${subject}: ${reason}`
}

/** @param flagOf returns the flag of a command that fills a field, without its dashes */
export function reasonOf(error: any, flagOf: (field: string) => string | undefined): string {
  const fieldErrors: FieldError[] = error.members?.errors ?? error.messages ?? []
  if (fieldErrors.length === 0) return withoutStatement(error.message)
  return fieldErrors.map((fieldError) => describeFieldError(fieldError, flagOf)).join('; ')
}

interface FieldError {
  field: string
  message: string
}

/** The beginning of a validator's message, with the field or a member of its list. */
const SUBJECT = /^The \S+ (?:field )?/

/** A field, and the position of a member of its list: `scopes.2`. */
const MEMBER = /^(\w+)(?:\.(\d+))?/

/** Returns a validator's message about a typed value. */
function describeFieldError(fieldError: FieldError, flagOf: (field: string) => string | undefined) {
  const { field, message } = fieldError
  const [, name, index] = MEMBER.exec(field) ?? []
  const flag = flagOf(name)
  const place = index === undefined ? '' : `, value ${Number(index) + 1},`
  return flag ? message.replace(SUBJECT, `--${flag}${place} `) : message
}
