import { flags } from '@adonisjs/core/ace'
import { EXIT, UsageError } from './_exit_codes.ts'
import { assertTakesFile, unwritableOutput } from './_output_file.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { CreatedBackup } from '#backup/create'

const NO_SECRETS =
  'Without encryption the backup has no secrets: after a restore each user sets a\n' +
  'password, and API keys, second factors, secrets of applications and of settings,\n' +
  'and webhooks are made anew. See --help.'

export default class BackupCreate extends OperatorCommand {
  static commandName = 'backup:create'
  static description = 'Write everything that this installation stores to one archive'
  static help = [
    'The archive contains one moment of the database, even while servers run, and restores into',
    'both SQLite and Postgres. Encrypt it for a recipient of age (age-keygen makes one),',
    'or by a passphrase from a prompt or standard input: then it carries every secret, also',
    'APP_KEY and MFA_ENCRYPTION_KEYS. Without encryption it has no secrets.',
    'Sessions, waiting links and unsent mails are left out.',
    '',
    'Examples:',
    '  {{ binaryName }} backup:create --recipient=age1…',
    '  {{ binaryName }} backup:create --passphrase --output=/mnt/backups/gatehouse.age',
    '  {{ binaryName }} backup:create --recipient=age1… --output=- | ssh nas "cat > backup.age"',
  ]

  @flags.string({ description: 'A file, or - for standard output; named by the time unless given' })
  declare output?: string

  @flags.array({ description: 'Who can open it: a recipient of age, age1…; several are allowed' })
  declare recipient?: string[]

  @flags.boolean({ description: 'Encrypt by a passphrase, from a prompt or standard input' })
  declare passphrase: boolean

  async perform() {
    const { createBackup } = await import('#backup/create')
    const recipients = await this.#recipients()
    const passphrase = this.passphrase ? await this.#readPassphrase() : undefined
    const isPlain = recipients.length === 0 && !passphrase
    const created = await createBackup({
      output: await this.#output(isPlain),
      recipients,
      passphrase,
      actor: this.actor,
      signal: this.interruption('Interrupted. No backup was written.'),
      onProgress: (progress) => this.#progress(progress),
    }).catch(unwritableOutput)
    this.#show(created)
    if (isPlain) this.tell(NO_SECRETS)
  }

  async #recipients() {
    const recipients = this.recipient ?? []
    const { isRecipient } = await import('#backup/archive/age')
    for (const each of recipients) {
      if (!(await isRecipient(each)))
        throw new UsageError(`--recipient: ${each} is no recipient of age, such as age1…`)
    }
    if (recipients.length === 0 || !this.passphrase) return recipients
    throw new UsageError('--recipient and --passphrase exclude each other: name one of them')
  }

  /** Asks twice on a terminal, which does not show it: a slip would lock the backup for ever. */
  async #readPassphrase() {
    const passphrase = await this.secret('Passphrase')
    const isAsked = process.stdin.isTTY
    if (
      isAsked &&
      passphrase !== (await this.ask(() => this.prompt.secure('The same passphrase again')))
    )
      throw new UsageError('The two passphrases differ')
    if (passphrase.length >= MIN_PASSPHRASE) return passphrase
    throw new UsageError(`The passphrase needs at least ${MIN_PASSPHRASE} characters`)
  }

  async #output(isPlain: boolean) {
    if (this.output === '-') return this.#standardOutput()
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
    const name = `gatehouse-${time}Z.tar.zst${isPlain ? '' : '.age'}`
    const file = this.path(this.output ?? name)
    await assertTakesFile(file)
    return file
  }

  /** A backup that is cut off is useless; other commands may succeed before a reader has all. */
  #standardOutput() {
    return process.stdout.prependOnceListener('error', ({ code }: NodeJS.ErrnoException) => {
      this.tell(`The backup was cut off: standard output takes no more (${code}).`)
      process.exit(EXIT.failed)
    })
  }

  #progress({ read, written }: { read: number; written: number }) {
    if (!process.stderr.isTTY || this.json) return
    const step = written > 0 ? `${written} of ${read} rows written` : `${read} rows read`
    process.stderr.write(`\r${step} \r`)
  }

  #show({ file, bytes, manifest }: CreatedBackup) {
    if (file === null) return
    const { createdAt, isEncrypted, entries } = manifest
    const rows = entries.reduce((sum, entry) => sum + (entry.rows ?? 0), 0)
    this.printRecord({ file, bytes, rows, createdAt, encrypted: isEncrypted })
  }
}

/** Also the minimum length of a password; a file can be guessed without a limit. */
const MIN_PASSPHRASE = 8
