import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import { EXIT, exitCodeOf, reasonOf, UsageError, withSubject } from './_exit_codes.ts'
import { operatorPath } from './_operator_path.ts'
import { type Column, formatRecord, formatTable } from './_table.ts'
import { terminalJson, terminalText } from '#exceptions/terminal_text'
import type { Actor } from '#audit/actor'
import type User from '#models/user'

/** Results go to standard output, everything else to standard error, so that scripts can read them. */
export abstract class OperatorCommand extends BaseCommand {
  static options = { startApp: true }

  @flags.boolean({ description: 'Print JSON instead of a table' })
  declare json: boolean

  async run() {
    try {
      this.#assertNoUnknownArguments()
      if (this.needsTables) await this.#prepare()
      await this.perform()
    } catch (error) {
      await this.fail(error)
    }
  }

  /** The framework ignores arguments that a command does not take. */
  #assertNoUnknownArguments() {
    if (this.parsed._.length === 0) return
    throw new UsageError(`${this.parsed._.join(' ')} is not expected here. See --help.`)
  }

  /** Whether the tables of this version have to exist before the command runs. */
  protected get needsTables() {
    return true
  }

  /** A command follows the settings of the console, as servers do. */
  async #prepare() {
    await this.#migrate()
    const { loadSettings } = await import('#settings/values/current')
    /** If the database is away, the command itself fails and reports it in its own words. */
    await loadSettings().catch(() => undefined)
  }

  /** A command may be the first to use a new installation. */
  async #migrate() {
    const { default: env } = await import('#start/env')
    if (!env.get('AUTO_MIGRATE')) return
    const { migrate } = await import('#database/migrate')
    await migrate(this.app)
  }

  abstract perform(): Promise<void>

  /** Prints an error and sets the exit code; of several errors the highest code stays. */
  async fail(error: any, subject?: string) {
    const code = await exitCodeOf(error)
    this.exitCode = Math.max(this.exitCode ?? 0, code)
    const { explainError } = await import('#health/check_failures')
    const isOurs = code !== EXIT.failed && code !== EXIT.unavailable
    const reason =
      (isOurs ? null : explainError(error)) ?? reasonOf(error, (field) => this.flagOf(field))
    this.tell(withSubject(reason, subject))
  }

  /** The flag that fills a field of the API: `--redirect-uri` adds one of the redirectUris. */
  protected flagOf(field: string) {
    const command = this.constructor as typeof BaseCommand
    return command.flags.find(({ name }) => name === field || `${name}s` === field)?.flagName
  }

  tell(message: string) {
    process.stderr.write(`${terminalText(message)}\n`)
  }

  print(records: Record<string, unknown>[], columns: Column[]) {
    if (this.json) return this.printJson(records)
    if (records.length === 0) return this.exitCode ? undefined : this.tell('Nothing found.')
    process.stdout.write(formatTable(records, columns))
  }

  printRecord(record: Record<string, unknown>) {
    if (this.json) return this.printJson(record)
    process.stdout.write(formatRecord(record))
  }

  printJson(value: unknown) {
    process.stdout.write(`${terminalJson(value, 2)}\n`)
  }

  /** The actor in the audit trail: the operator's name on this machine. */
  get actor(): Actor {
    return { name: `cli:${userInfo().username}`, id: null, ip: null, userAgent: null }
  }

  protected path(file: string) {
    return operatorPath(file)
  }

  /** Returns a signal that SIGINT and SIGTERM abort, with a message about what the work leaves. */
  protected interruption(message: string) {
    const interrupted = new AbortController()
    const stop = () => interrupted.abort(new Error(message))
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
    return interrupted.signal
  }

  /** Applies a change to several users, and goes on after a user for whom it fails. */
  async eachUser(names: string[], apply: (user: User) => Promise<Record<string, unknown>>) {
    const { getUserByNameOrFail } = await import('#users/find_user')
    if (names.includes('')) throw new UsageError('Name each account: one of the names is empty.')
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

  /** Asks before a change that cannot be undone; without a terminal `--yes` is required. */
  async confirm(question: string, isAgreed: boolean) {
    if (isAgreed) return
    if (!process.stdin.isTTY) throw new UsageError(`${question} Say so with --yes.`)
    if (!(await this.ask(() => this.prompt.confirm(question))))
      throw new UsageError('Nothing was changed.')
  }

  /** At Ctrl-C, Node 24 closes the terminal before the prompt does, which then throws an error. */
  protected async ask<Answer>(question: () => Promise<Answer>) {
    const { promise: cancelled, reject } = Promise.withResolvers<never>()
    const onError = (error: Error & { code?: string }) => {
      if (error.code !== 'ERR_USE_AFTER_CLOSE') throw error
      reject(new UsageError('Nothing was changed.'))
    }
    process.once('uncaughtException', onError)
    try {
      return await Promise.race([question(), cancelled])
    } finally {
      process.off('uncaughtException', onError)
    }
  }

  /** An argument would show the secret to other users of the machine, and shells keep it in their history. */
  async secret(question: string) {
    if (process.stdin.isTTY) return this.ask(() => this.prompt.secure(question))
    const input = await text(process.stdin)
    const [line] = input.split(/\r?\n/)
    if (!line) throw new UsageError(`${question}: nothing came on standard input.`)
    return line
  }
}
