import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Column } from './_table.ts'
import type { ReencryptedColumn } from '#setup/reencryption'
import type { ShortenedKeyring } from '#setup/drop_old_secrets'
import type { Transaction } from '#database/transaction'

const COLUMNS: Column[] = [
  { name: 'name', title: 'Keyring', width: 20 },
  { name: 'entries', title: 'Entries', width: 7 },
  { name: 'where', title: 'Kept in', width: 22 },
]

const QUESTION = 'Drop the old secrets and sign out every user whose token one of them signed?'

interface RotatedKeyring {
  name: string
  /** `environment`, or the path of a file. */
  where: string
  keptFor?: string | null
  value?: string
}

type Keyrings = Record<string, ShortenedKeyring>

export default class SecretsRotate extends OperatorCommand {
  static commandName = 'secrets:rotate'
  static description =
    'Put a new secret first in each keyring; what the old ones signed stays valid'
  static help = [
    'Secrets in DATA_DIR/secrets.json are rewritten. For secrets in the environment, or in a',
    'file that it names, the new value is printed. Restart every server afterwards.',
    '--drop-old encrypts stored data again, then drops the older entries: use it when the',
    'tokens that they signed have expired. An entry stays if the audit log or an unused',
    'backup code needs it.',
    '',
    'Examples:',
    '  {{ binaryName }} secrets:rotate',
    '  {{ binaryName }} secrets:rotate JWT_ACCESS_SECRETS --json',
    '  {{ binaryName }} secrets:rotate --drop-old --yes',
  ]

  @args.spread({ description: 'Names of keyrings; all unless given', required: false })
  declare keyrings?: string[]

  @flags.boolean({ description: 'Drop the old entries instead of adding new ones' })
  declare dropOld: boolean

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const names = await this.#names()
    if (this.dropOld) await this.confirm(QUESTION, this.yes)
    const keyrings = this.dropOld ? await this.#shortened(names) : await this.#extended(names)
    await this.#show(keyrings, await this.#write(keyrings))
    this.tell('Restart every server now: until then it uses the secrets that it started with.')
  }

  async #names() {
    const { KEYRINGS } = await import('#setup/environment/secrets_file')
    const names = this.keyrings?.length ? this.keyrings : KEYRINGS
    const unknown = names.find((name) => !KEYRINGS.includes(name))
    if (unknown) throw new UsageError(`${unknown} is no keyring: name ${KEYRINGS.join(', ')}`)
    return names
  }

  async #extended(names: string[]): Promise<Keyrings> {
    const { default: env } = await import('#start/env')
    const { rotateKeyring } = await import('#setup/environment/secrets')
    const entries = names.map((name) => {
      const secrets = rotateKeyring(env.get(name as 'APP_KEY'))
      return [name, { secrets, keptFor: null }]
    })
    return Object.fromEntries(entries)
  }

  /** Data that older entries encrypted is encrypted again before these entries are dropped. */
  async #shortened(names: string[]): Promise<Keyrings> {
    const { shorten } = await import('#setup/drop_old_secrets')
    await this.#reencrypt(names)
    const keyrings: Keyrings = {}
    for (const name of names) keyrings[name] = await shorten(name)
    return keyrings
  }

  async #reencrypt(names: string[]) {
    const { reencrypt } = await import('#setup/reencryption')
    const progress = process.stderr.isTTY && !this.json ? showCount : () => {}
    for (const { content, keyring, changed, lost } of await reencrypt(names, progress)) {
      if (changed > 0) this.tell(`Encrypted again: ${changed} ${content}.`)
      if (lost > 0) this.tell(`No entry of ${keyring} decrypts ${lost} ${content}: see doctor.`)
    }
  }

  /** SQLite has one writer: of two simultaneous commands, the second finds what the first wrote. */
  async #write(keyrings: Keyrings) {
    const { writeRotated } = await import('#setup/environment/secrets')
    const { default: env } = await import('#start/env')
    const { default: db } = await import('@adonisjs/lucid/services/db')
    const entries = Object.entries(keyrings).map(([name, { secrets }]) => [name, secrets])
    return db.transaction(async (trx) => {
      await this.#audit(Object.keys(keyrings), trx)
      return writeRotated(env.get('DATA_DIR'), Object.fromEntries(entries))
    })
  }

  async #audit(keyrings: string[], trx: Transaction) {
    const { record } = await import('#events/record')
    const details = { keyrings, dropOld: Boolean(this.dropOld) }
    await record(trx, { type: 'secrets.rotated', user: null, actor: this.actor, details })
  }

  /** Prints a secret only if the operator has to store it themselves. */
  async #show(keyrings: Keyrings, written: string[]) {
    const { secretFile } = await import('#setup/environment/secret_files')
    const records = Object.entries(keyrings).map(([name, { secrets, keptFor }]) => {
      const shown = { name, entries: secrets.length, ...(this.dropOld && { keptFor }) }
      if (written.includes(name)) return { ...shown, where: 'DATA_DIR/secrets.json' }
      const where = secretFile(name) ?? 'environment'
      return { ...shown, where, value: secrets.join(',') }
    })
    this.print(records, COLUMNS)
    if (!this.json) this.#explain(records)
  }

  #explain(records: RotatedKeyring[]) {
    for (const { name, keptFor, where, value } of records) {
      if (keptFor) this.tell(`${name} keeps an older entry for ${keptFor}.`)
      if (value && where !== 'environment') this.tell(`${name}: write this to ${where}.`)
      if (value) process.stdout.write(`${where === 'environment' ? `${name}=` : ''}${value}\n`)
    }
  }
}

function showCount({ content, changed }: ReencryptedColumn) {
  if (changed > 0) process.stderr.write(`\r${changed} ${content} \r`)
}
