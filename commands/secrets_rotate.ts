import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Column } from './_table.ts'

const COLUMNS: Column[] = [
  { name: 'name', title: 'Keyring', width: 20 },
  { name: 'entries', title: 'Entries', width: 7 },
  { name: 'where', title: 'Kept in', width: 22 },
]

export default class SecretsRotate extends OperatorCommand {
  static commandName = 'secrets:rotate'
  static description =
    'Put a new secret first in each keyring; what the old ones signed stays valid'
  static help = [
    'Secrets in DATA_DIR/secrets.json are rewritten; of those in the environment the new',
    'value is printed. Restart every server afterwards. Old entries can go when what they',
    'signed has expired (--drop-old), except the last of APP_KEY: the audit trail needs it.',
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
    const { rotateKeyring, dropOldSecrets, writeRotated } = await import('#setup/secrets')
    const { default: env } = await import('#start/env')
    const names = await this.#names()
    if (this.dropOld) {
      await this.confirm('Sign out every user whose token was signed with an old secret?', this.yes)
    }
    if (this.dropOld && names.includes('APP_KEY')) await this.#keepPrivateKeys()
    const change = this.dropOld ? dropOldSecrets : rotateKeyring
    const keyrings = Object.fromEntries(
      names.map((name) => [name, change(name, env.get(name as 'APP_KEY'))])
    )
    const written = writeRotated(env.get('DATA_DIR'), keyrings)
    await this.#audit(names)
    this.#show(keyrings, written)
    this.tell('Restart every server now: until then it uses the secrets that it started with.')
  }

  async #names() {
    const { KEYRINGS } = await import('#setup/secrets')
    const names = this.keyrings?.length ? this.keyrings : KEYRINGS
    const unknown = names.find((name) => !KEYRINGS.includes(name))
    if (unknown) throw new UsageError(`${unknown} is no keyring: name ${KEYRINGS.join(', ')}`)
    return names
  }

  /** A secret is printed only where the operator has to store it themselves. */
  #show(keyrings: Record<string, string[]>, written: string[]) {
    const records = Object.entries(keyrings).map(([name, keyring]) => {
      const shown = { name, entries: keyring.length }
      if (written.includes(name)) return { ...shown, where: 'DATA_DIR/secrets.json' }
      return { ...shown, where: 'environment', value: keyring.join(',') }
    })
    this.print(records, COLUMNS)
    if (this.json) return
    for (const record of records) {
      if ('value' in record) process.stdout.write(`${record.name}=${record.value}\n`)
    }
  }

  /** An entry that is dropped may have encrypted the private part of a signing key. */
  async #keepPrivateKeys() {
    const { reencryptPrivateKeys } = await import('#auth/signing_keys/reencryption')
    await reencryptPrivateKeys()
  }

  async #audit(keyrings: string[]) {
    const { default: db } = await import('@adonisjs/lucid/services/db')
    const { recordAudit } = await import('#audit/trail')
    const entry = { action: 'secrets.rotated', actor: this.actor, targetId: null } as const
    const details = { keyrings, dropOld: Boolean(this.dropOld) }
    await db.transaction((trx) => recordAudit({ ...entry, details }, trx))
  }
}
