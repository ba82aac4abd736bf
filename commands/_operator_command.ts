import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { Actor } from '#audit/actor'
import type User from '#models/user'

/** How a command ends: what a script can decide on. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
} as const

/** Said before what the client library of a database or store says, which names neither. */
const DOWN = 'The database or the store does not answer (see doctor)'

/** A fault of the command line itself, with the remedy. */
export class UsageError extends Error {}

/**
 * What all commands for operators share: results on standard output, as a table or with
 * `--json` as JSON, everything else on standard error, and exit codes with a meaning.
 */
export abstract class OperatorCommand extends BaseCommand {
  static options = { startApp: true }

  @flags.boolean({ description: 'Print JSON instead of a table' })
  declare json: boolean

  /** The work of the command; whatever it throws decides the exit code. */
  abstract perform(): Promise<void>

  async run() {
    try {
      this.#assertNoSurplus()
      if (this.needsTables) await this.#prepare()
      await this.perform()
    } catch (error) {
      await this.fail(error)
    }
  }

  /** Whether the tables have to be there, as of today. */
  protected get needsTables() {
    return true
  }

  /** An argument that the command does not take would be ignored without a word. */
  #assertNoSurplus() {
    if (this.parsed._.length === 0) return
    throw new UsageError(`${this.parsed._.join(' ')} is not expected here. See --help.`)
  }

  /** A command may be the first to touch a new installation. */
  async #prepare() {
    const { default: env } = await import('#start/env')
    if (!env.get('AUTO_MIGRATE')) return
    const { migrate } = await import('#database/migrate')
    await migrate(this.app)
  }

  /** Tells what went wrong; the worst of several exit codes stays. */
  async fail(error: any, subject?: string) {
    const code = await exitCodeOf(error)
    this.exitCode = Math.max(this.exitCode ?? 0, code)
    const details = error.members?.errors ?? error.messages ?? []
    const lines = details.map(messageOf)
    const reason = lines.length > 0 ? lines.join('; ') : error.message
    const isDown = code === EXIT.unavailable
    const isNamed = subject !== undefined && reason.includes(subject)
    this.tell([isNamed ? null : subject, isDown ? DOWN : null, reason].filter(Boolean).join(': '))
  }

  /** A message to whoever runs the command. */
  tell(message: string) {
    process.stderr.write(`${message}\n`)
  }

  /** The result, as a list of records. */
  print(records: Record<string, unknown>[], columns: Column[]) {
    if (this.json) return this.printJson(records)
    if (records.length === 0) return this.exitCode ? undefined : this.tell('Nothing found.')
    process.stdout.write(tableOf(records, columns))
  }

  /** The result, as one record. */
  printRecord(record: Record<string, unknown>) {
    if (this.json) return this.printJson(record)
    const width = Math.max(...Object.keys(record).map((name) => name.length))
    for (const [name, value] of Object.entries(record)) {
      process.stdout.write(`${name.padEnd(width)}  ${shown(value)}\n`)
    }
  }

  printJson(value: unknown) {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  }

  /** Who the audit trail names. */
  get actor(): Actor {
    return { name: `cli:${userInfo().username}`, id: null, ip: null, userAgent: null }
  }

  /** Applies something to several users and goes on after one that fails. */
  async eachUser(names: string[], apply: (user: User) => Promise<Record<string, unknown>>) {
    const { getUserByNameOrFail } = await import('#users/find_user')
    const results: Record<string, unknown>[] = []
    for (const name of names) {
      try {
        results.push(await apply(await getUserByNameOrFail(name)))
      } catch (error) {
        await this.fail(error, name)
      }
    }
    return results
  }

  /** Asks before something is lost; without a terminal `--yes` has to say it. */
  async confirm(question: string, isAgreed: boolean) {
    if (isAgreed) return
    if (!process.stdin.isTTY) throw new UsageError(`${question} Say so with --yes.`)
    if (!(await this.prompt.confirm(question))) throw new UsageError('Nothing was changed.')
  }

  /** A secret from the prompt or from standard input, never from the command line. */
  async secret(question: string) {
    if (process.stdin.isTTY) return this.prompt.secure(question)
    const given = await text(process.stdin)
    const [line] = given.split(/\r?\n/)
    if (!line) throw new UsageError(`${question}: nothing came on standard input.`)
    return line
  }
}

/** What a validator says, with the values that it would take. */
function messageOf({ message, meta }: { message: string; meta?: { choices?: string[] } }) {
  return meta?.choices ? `${message}: one of ${meta.choices.join(', ')}` : message
}

export interface Column {
  name: string
  title: string
  /** Characters at most; what is longer is cut. */
  width: number
}

export function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value).replace(/[\p{Cc}\p{Cf}]/gu, '�')
}

function cut(value: string, width: number) {
  const letters = [...value]
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : value
}

/** Columns as wide as what is in them, within their limits: 80 characters hold a line. */
function tableOf(records: Record<string, unknown>[], columns: Column[]) {
  const rows = records.map((record) =>
    columns.map(({ name, width }) => cut(shown(record[name]), width))
  )
  const titles = columns.map(({ title }) => title)
  const widths = columns.map((_, at) =>
    Math.max(...[titles, ...rows].map((row) => [...row[at]].length))
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell + ' '.repeat(widths[at] - [...cell].length))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width))
  return [titles, rule, ...rows].map((row) => `${line(row)}\n`).join('')
}

const REFUSALS = new Set([400, 403, 409, 413, 422])

async function exitCodeOf(error: any): Promise<number> {
  if (error instanceof UsageError) return EXIT.usage
  const { Refusal } = await import('#exceptions/refusal')
  const { isDependencyDown } = await import('#exceptions/dependency_failures')
  if (error.code === 'E_VALIDATION_ERROR') return EXIT.usage
  if (error instanceof Refusal && error.status === 404) return EXIT.notFound
  if (error instanceof Refusal && REFUSALS.has(error.status)) return EXIT.refused
  if (isDependencyDown(error) || error.code === 'ECONNREFUSED') return EXIT.unavailable
  return EXIT.failed
}
