import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { args, flags } from '@adonisjs/core/ace'
import { NO_PROGRESS_BAR, openReport, printRefused, startProgressBar } from './_import_output.ts'
import { EXIT, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { withFirebase } from './_firebase_rows.ts'
import { formatValue } from './_table.ts'
import type { Format } from '#users/transfer/read_rows'
import type { RefusedRow } from '#users/transfer/import'

export default class UserImport extends OperatorCommand {
  static commandName = 'user:import'
  static description = 'Import accounts with their password hashes, from a file or standard input'
  static help = [
    'Hashes of argon2, bcrypt, scrypt, PBKDF2 and Firebase scrypt are kept, and',
    'replaced at the next login. Users who exist already are skipped, so that an import',
    'can be run again. Columns and members of our own format: email, username,',
    'nickname, role, passwordHash, emailVerified, disabled, createdAt, id, identities.',
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

  @flags.string({ description: 'File for each row refused or skipped, with line and reason' })
  declare report?: string

  async perform() {
    const { importUsers } = await import('#users/transfer/import')
    const { dryRun, actor } = this
    const from = await this.#mapping()
    const source = this.#source()
    const isDrawn = process.stderr.isTTY && !this.json
    const bar = isDrawn ? await startProgressBar(source) : NO_PROGRESS_BAR
    const report = this.#report()
    const { onRefused, onSkipped } = report
    const options = { from, dryRun, actor, onRefused, onSkipped, onProgress: bar.update }
    const summary = await importUsers(await this.#rows(source), options)
    bar.stop()
    await report.end()
    this.printRecord({ ...summary, ...(dryRun && { dryRun: true }) })
    if (dryRun) this.tell('Nothing was changed: this was a dry run.')
    if (summary.refused > 0) this.exitCode = EXIT.failed
  }

  async #mapping() {
    const { MAPPINGS } = await import('#users/transfer/formats')
    const { from = 'gatehouse' } = this
    if (from in MAPPINGS) return from
    throw new UsageError(`--from must be one of ${Object.keys(MAPPINGS).join(', ')}`)
  }

  #source(): Readable {
    if (this.file === '-') return process.stdin
    try {
      statSync(this.#path(this.file))
    } catch {
      throw new UsageError(`There is no file ${this.file}`)
    }
    return createReadStream(this.#path(this.file))
  }

  #report() {
    if (this.report) return openReport(this.#path(this.report))
    return printRefused(({ line, email, reason }: RefusedRow) =>
      this.tell(formatValue(`line ${line}: ${email ?? 'the row'} ${reason}`))
    )
  }

  async #rows(source: Readable) {
    const { readRows, FORMATS } = await import('#users/transfer/read_rows')
    const format = (this.format ?? this.file.split('.').at(-1)) as Format
    if (!FORMATS.includes(format))
      throw new UsageError(`Name the format: --format=${FORMATS.join('|')}`)
    const rows = readRows(source, format)
    return this.firebase ? withFirebase(rows, this.#path(this.firebase)) : rows
  }

  #path(file: string) {
    return resolve(process.env.INIT_CWD ?? process.cwd(), file)
  }
}
