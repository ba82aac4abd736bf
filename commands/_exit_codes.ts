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

/** A fault of the command line itself, with the remedy. */
export class UsageError extends Error {}

const FILE_FAULTS: Record<string, string> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not there',
  EACCES: 'may not be used by this user',
}

/** What is wrong with a file that a command was given, after its name. */
export function unreadableFile({ code = '' }: NodeJS.ErrnoException) {
  return FILE_FAULTS[code] ?? `cannot be used (${code})`
}

/** What is wrong with the name of a file that is to be written, after that name. */
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

/** One line for standard error: the subject unless the reason names it, then the reason. */
export function withSubject(reason: string, subject?: string) {
  return subject === undefined || reason.includes(subject) ? reason : `${subject}: ${reason}`
}

/** @param flagOf the flag of a command that fills a field, without its dashes */
export function reasonOf(error: any, flagOf: (field: string) => string | undefined): string {
  const faults: ValidationFault[] = error.members?.errors ?? error.messages ?? []
  if (faults.length === 0) return withoutStatement(error.message)
  return faults.map((fault) => describeFault(fault, flagOf)).join('; ')
}

interface ValidationFault {
  field: string
  message: string
  meta?: { choices?: string[] }
}

/** How a message of a validator begins, with the field or a member of its list. */
const SUBJECT = /^The (?:selected )?\S+ (?:field )?/

/** A field, and the place of a member of its list: `scopes.2`. */
const MEMBER = /^(\w+)(?:\.(\d+))?/

/** The message of a validator about what was typed, with the values that it accepts. */
function describeFault(fault: ValidationFault, flagOf: (field: string) => string | undefined) {
  const { field, message, meta } = fault
  const [, name, index] = MEMBER.exec(field) ?? []
  const flag = flagOf(name)
  const place = index === undefined ? '' : `, value ${Number(index) + 1},`
  const reason = flag ? message.replace(SUBJECT, `--${flag}${place} `) : message
  return meta?.choices ? `${reason}: one of ${meta.choices.join(', ')}` : reason
}
