import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { flags } from '@adonisjs/core/ace'
import { terminalJson } from '#exceptions/terminal_text'
import { UsageError } from './_exit_codes.ts'
import { UserFilterCommand } from './_user_filter_command.ts'

export default class UserExport extends UserFilterCommand {
  static commandName = 'user:export'
  static description = 'Export accounts to standard output, as CSV, JSON or NDJSON'
  static help = [
    'What is exported can be imported: user:import reads all three.',
    '',
    'Examples:',
    '  {{ binaryName }} user:export > accounts.csv',
    '  {{ binaryName }} user:export --format=ndjson --with-hashes --yes > backup.ndjson',
    '  {{ binaryName }} user:export --role=Admin --json',
  ]

  @flags.string({ description: 'csv, json or ndjson; csv unless given' })
  declare format?: string

  @flags.boolean({ description: 'With password hashes: keep the file as you keep the database' })
  declare withHashes: boolean

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const format = this.json ? 'json' : (this.format ?? 'csv')
    if (!['csv', 'json', 'ndjson'].includes(format)) {
      throw new UsageError('--format must be one of csv, json, ndjson')
    }
    if (this.withHashes) await this.confirm('Export password hashes?', this.yes)
    const { listUsersValidator } = await import('#validators/users')
    const { exportUsers } = await import('#users/transfer/export')
    const { withHashes } = this
    const filter = await listUsersValidator.validate(this.criteria)
    await this.#audit(withHashes)
    const users = exportUsers(filter, { withHashes })
    const lines = format === 'csv' ? await this.#csv(users) : this.#lines(users, format)
    await pipeline(lines, process.stdout, { end: false })
  }

  async #audit(withHashes: boolean) {
    const { default: db } = await import('@adonisjs/lucid/services/db')
    const { record } = await import('#events/record')
    const event = { type: 'accounts.exported', user: null, actor: this.actor } as const
    await db.transaction((trx) => record(trx, { ...event, details: { withHashes } }))
  }

  /** Cells that a spreadsheet would run as a formula are written as text (CSV injection). */
  async #csv(users: AsyncIterable<Record<string, unknown>>) {
    const { stringify } = await import('csv-stringify')
    const cast = { boolean: String, string: guardQuote }
    return Readable.from(users).pipe(stringify({ header: true, escape_formulas: true, cast }))
  }

  #lines(users: AsyncIterable<Record<string, unknown>>, format: string) {
    return Readable.from(format === 'ndjson' ? ndjson(users) : array(users))
  }
}

/** A name such as `'=x` gets another quote, so that an import removes only that quote. */
function guardQuote(value: string) {
  return /^'+[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

async function* ndjson(users: AsyncIterable<unknown>) {
  for await (const user of users) yield `${terminalJson(user)}\n`
}

async function* array(users: AsyncIterable<unknown>) {
  let separator = '[\n'
  for await (const user of users) {
    yield `${separator}${terminalJson(user)}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
