import { createReadStream, createWriteStream, ReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { args, flags } from '@adonisjs/core/ace'
import { EXIT, OperatorCommand, shown, UsageError } from './_operator_command.ts'
import type { Format, ReadRow } from '#users/transfer/read_rows'
import type { ImportSummary, RefusedRow } from '#users/transfer/import'

export default class UserImport extends OperatorCommand {
  static commandName = 'user:import'
  static description = 'Import accounts with their password hashes, from a file or standard input'
  static help = [
    'Hashes of argon2, bcrypt, scrypt, PBKDF2 and Firebase scrypt are kept, and',
    'replaced at the next login. Who is there already is skipped, so that an import',
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
    const { MAPPINGS } = await import('#users/transfer/formats')
    const { importUsers } = await import('#users/transfer/import')
    const from = this.from ?? 'gatehouse'
    if (!(from in MAPPINGS))
      throw new UsageError(`--from must be one of ${Object.keys(MAPPINGS).join(', ')}`)
    const source = this.#source()
    const bar = await this.#progressBar(source)
    const refused = this.#reporter()
    const { dryRun, actor } = this
    const told = { onRefused: refused.write, onSkipped: refused.writeSkipped }
    const options = { from, dryRun, actor, ...told, onProgress: bar.update }
    const summary = await importUsers(await this.#rows(source), options)
    bar.stop()
    await refused.end()
    this.printRecord({ ...summary, ...(dryRun && { dryRun: true }) })
    if (dryRun) this.tell('Nothing was changed: this was a dry run.')
    if (summary.refused > 0) this.exitCode = EXIT.failed
  }

  async #rows(source: Readable) {
    const { readRows, FORMATS } = await import('#users/transfer/read_rows')
    const format = (this.format ?? this.file.split('.').at(-1)) as Format
    if (!FORMATS.includes(format))
      throw new UsageError(`Name the format: --format=${FORMATS.join('|')}`)
    const rows = readRows(source, format)
    return this.firebase ? this.#withFirebase(rows, this.firebase) : rows
  }

  #path(file: string) {
    return resolve(process.env.INIT_CWD ?? process.cwd(), file)
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

  /** The parameters of a Firebase project stand in its console, not in its export. */
  async *#withFirebase(rows: AsyncGenerator<ReadRow>, file: string): AsyncGenerator<ReadRow> {
    const { readFile } = await import('node:fs/promises')
    const { UnreadableRow } = await import('#users/transfer/unreadable_row')
    const given = JSON.parse(await readFile(this.#path(file), 'utf8'))
    const parameters = {
      signerKey: given.base64_signer_key,
      saltSeparator: given.base64_salt_separator,
      rounds: given.rounds,
      memoryCost: given.mem_cost,
    }
    for await (const { line, row } of rows) {
      yield { line, row: row instanceof UnreadableRow ? row : { ...row, ...parameters } }
    }
  }

  /** By the bytes of a file; of standard input nobody knows how much is to come. */
  async #progressBar(source: Readable) {
    const isShown = process.stderr.isTTY && !this.json
    if (!isShown) return { update: () => {}, stop: () => {} }
    const { SingleBar, Presets } = await import('cli-progress')
    const size = source instanceof ReadStream ? statSync(source.path).size : 0
    const part = size > 0 ? '{bar} {percentage} % · ' : ''
    const format = `${part}{read} rows · {imported} new · {skipped} there · {refused} refused`
    const settings = { format, stream: process.stderr, barsize: 20 }
    const bar = new SingleBar(settings, Presets.shades_classic)
    bar.start(size, 0, { read: 0, imported: 0, skipped: 0, refused: 0 })
    const update = (summary: ImportSummary) => {
      bar.update(source instanceof ReadStream ? source.bytesRead : 0, { ...summary })
    }
    return { update, stop: () => bar.stop() }
  }

  /** To a file, or the first of them to the terminal; a row that was skipped only to the file. */
  #reporter() {
    const file = this.report ? createWriteStream(this.#path(this.report), { mode: 0o600 }) : null
    let told = 0
    const write = (row: RefusedRow) => {
      if (file) file.write(`${JSON.stringify(row)}\n`)
      else if (told++ < 20)
        this.tell(shown(`line ${row.line}: ${row.email ?? 'the row'} ${row.reason}`))
    }
    const writeSkipped = (row: RefusedRow) => {
      file?.write(`${JSON.stringify({ ...row, skipped: true })}\n`)
    }
    const end = () => new Promise<void>((done) => (file ? file.end(done) : done()))
    return { write, writeSkipped, end }
  }
}
