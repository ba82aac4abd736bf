import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { args, flags } from '@adonisjs/core/ace'
import { NO_PROGRESS_BAR, openReport, printRows, startProgressBar } from './_import_output.ts'
import { EXIT, unreadableFile, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { withFirebase } from './_firebase_rows.ts'
import { formatValue } from './_table.ts'
import type { Format, ReadRow } from '#users/transfer/read_rows'
import type { RefusedRow } from '#users/transfer/import'

const OTHER_HASHES =
  'Some users have a hash of another product. Until their first sign-in here, a wrong\n' +
  'password takes longer or shorter to refuse than for an unknown address. An\n' +
  'attacker who measures it learns that the address has an account.'

export default class UserImport extends OperatorCommand {
  static commandName = 'user:import'
  static description = 'Import accounts with their password hashes, from a file or standard input'
  static help = [
    'Hashes of argon2, bcrypt, scrypt, PBKDF2 and Firebase scrypt are kept, and',
    'replaced at the next login. Users who exist already are skipped, so that an import',
    'can be run again. A handle that is taken gets a number, and a line of the report.',
    'Columns and members of our own format: email, username, handle, nickname, role,',
    'passwordHash, emailVerified, disabled, disabledReason, lockedUntil,',
    'mustChangePassword, locale, createdAt, id, identities, groups.',
    '',
    'Examples:',
    '  {{ binaryName }} user:import accounts.csv --dry-run',
    '  {{ binaryName }} user:import realm.json --from=keycloak --report=bad.ndjson',
    '  {{ binaryName }} user:import users.json --from=firebase --firebase=key.json',
    '  zcat users.ndjson.gz | {{ binaryName }} user:import - --format=ndjson',
  ]

  @args.string({ description: 'A CSV, JSON or NDJSON file, or - for standard input' })
  declare file: string

  @flags.string({
    description: 'gatehouse, keycloak, auth0, firebase, supabase, better-auth, devise or django',
  })
  declare from?: string

  @flags.string({ description: 'csv, json or ndjson; by the ending of the file unless given' })
  declare format?: string

  @flags.string({
    description: 'JSON file with base64_signer_key, base64_salt_separator, rounds, mem_cost',
  })
  declare firebase?: string

  @flags.boolean({ description: 'Check every row and change nothing' })
  declare dryRun: boolean

  @flags.string({
    description: 'File for each row refused, skipped or renamed, and each group left out',
  })
  declare report?: string

  async perform() {
    const { importUsers } = await import('#users/transfer/import')
    const { dryRun, actor } = this
    const from = await this.#mapping()
    const { source, size } = this.#source()
    const isDrawn = process.stderr.isTTY && !this.json
    const bar = isDrawn ? await startProgressBar(source, size) : NO_PROGRESS_BAR
    const report = this.#report()
    const { onRefused, onSkipped, onRenamed, onGroup } = report
    const onProgress = bar.update
    const options = { from, dryRun, actor, onRefused, onSkipped, onRenamed, onGroup, onProgress }
    const rows = await this.#rows(source)
    const { renamed, ...summary } = await importUsers(this.#named(rows), options).finally(bar.stop)
    await report.end()
    this.printRecord({
      ...summary,
      ...(renamed > 0 && { renamed }),
      ...(dryRun && { dryRun: true }),
    })
    if (dryRun) this.tell('Nothing was changed: this was a dry run.')
    if (summary.otherHashes > 0) this.tell(OTHER_HASHES)
    if (summary.refused > 0) this.exitCode = EXIT.failed
  }

  async #mapping() {
    const { MAPPINGS } = await import('#users/transfer/formats')
    const { from = 'gatehouse' } = this
    if (from in MAPPINGS) return from
    throw new UsageError(`--from must be one of ${Object.keys(MAPPINGS).join(', ')}`)
  }

  #source(): { source: Readable; size?: number } {
    if (this.file === '-') return { source: process.stdin }
    try {
      const fd = openSync(this.path(this.file), 'r')
      const stats = fstatSync(fd)
      if (!stats.isDirectory()) return { source: createReadStream('', { fd }), size: stats.size }
    } catch (error) {
      throw new UsageError(`${this.file} ${unreadableFile(error)}`)
    }
    throw new UsageError(`${this.file} is a folder. Name a file`)
  }

  /** Returns the rows, and names the file if it cannot be read to its end. */
  async *#named(rows: AsyncIterable<ReadRow>) {
    const { UnreadableFile } = await import('#users/transfer/read_rows')
    try {
      yield* rows
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      const rest = 'Mend the file and run this again: users who exist are skipped.'
      throw new UsageError(`${this.#fileName()}, ${error.message}. ${rest}`)
    }
  }

  #report() {
    if (this.report) return openReport(this.path(this.report), this.#fileName())
    const file = this.#fileName()
    return printRows(({ line, email, field, reason }: RefusedRow) => {
      const told = `${file}, line ${line}: ${email ?? 'the row'} ${reason}`
      this.tell(formatValue(field ? `${told} (${field})` : told))
    })
  }

  #fileName() {
    return this.file === '-' ? 'standard input' : this.file
  }

  async #rows(source: Readable) {
    const { readRows, FORMATS } = await import('#users/transfer/read_rows')
    const format = (this.format ?? this.file.split('.').at(-1)) as Format
    if (!FORMATS.includes(format))
      throw new UsageError(`Name the format: --format=${FORMATS.join('|')}`)
    const rows = readRows(source, format)
    return this.firebase ? withFirebase(rows, this.path(this.firebase)) : rows
  }
}
