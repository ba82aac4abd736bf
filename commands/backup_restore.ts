import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { args, flags } from '@adonisjs/core/ace'
import string from '@adonisjs/core/helpers/string'
import { BackupCommand } from './_backup_command.ts'
import { EXIT, unreadableFile, UsageError } from './_exit_codes.ts'
import type { RestoredBackup } from '#backup/restore/restore_backup'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const NO_SECRETS =
  'The backup has no secrets: each user sets a password by “Forgot password?”, and\n' +
  'API keys, second factors, secrets of applications and of settings, and webhooks\n' +
  'are made anew.'

const NO_TRAIL =
  'The audit log of the backup is left out, because APP_KEY here is not the one\n' +
  'that signed it. A new audit log begins.'

export default class BackupRestore extends BackupCommand {
  static commandName = 'backup:restore'
  static description = 'Replace this installation by a backup, on SQLite or Postgres'
  static help = [
    'Stop every server first. An installation with users is replaced only with --replace.',
    'Either everything is restored or nothing. Every session ends, and devices are forgotten.',
    'Mails, webhooks, logout messages and scheduled backups are paused until backup:resume, so',
    'that a copy on a test machine sends nothing. After a restore that was killed no',
    'server starts: run the same command again.',
    '--deleted names a file with the ids of users who were deleted since, one a line.',
    '',
    'Examples:',
    '  {{ binaryName }} backup:restore gatehouse.tar.zst.age --identity=key.txt --dry-run',
    '  {{ binaryName }} backup:restore gatehouse.tar.zst.age --identity=key.txt --yes',
    '  {{ binaryName }} backup:restore gatehouse.tar.zst.age --yes --replace < passphrase.txt',
  ]

  @args.string({ description: 'The archive' })
  declare file: string

  @flags.boolean({ description: 'Read and check everything, and change nothing' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Replace the users who are here' })
  declare replace: boolean

  @flags.boolean({ description: 'End API keys, signing keys and secrets of applications' })
  declare expireKeys: boolean

  @flags.string({ description: 'File with ids of users to erase again, one a line' })
  declare deleted?: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const path = this.path(this.file)
    const deleted = this.#deletedUsers()
    if (!this.dryRun) await this.confirm(`Replace this installation by ${this.file}?`, this.yes)
    const { restoreBackup } = await import('#backup/restore/restore_backup')
    const { actor, replace, dryRun, expireKeys } = this
    const signal = this.interruption('Interrupted. Nothing was changed.')
    const restored = await restoreBackup(path, {
      ...(await this.opening(path)),
      ...{ actor, replace, dryRun, expireKeys, deleted, signal },
      onProgress: this.showProgress,
    }).catch((error) => this.#explainUnfinished(error))
    if (!restored) return
    this.printRecord({
      ...this.recordOf(restored.manifest, restored.counts),
      ...(dryRun && { dryRun }),
    })
    this.#explain(restored)
  }

  async #explainUnfinished(error: Error) {
    const { UnfinishedRestore } = await import('#backup/errors')
    if (!(error instanceof UnfinishedRestore)) throw error
    await this.fail(error.cause)
    this.tell(error.message)
    this.tell('Run the same command again; until then no server starts.')
    return null
  }

  #deletedUsers() {
    if (!this.deleted) return []
    const lines = this.#read(this.deleted)
      .split(/\r?\n/)
      .map((line) => line.trim())
    const wrong = lines.findIndex((line) => line && !UUID.test(line))
    if (wrong === -1) return lines.filter(Boolean).map((id) => id.toLowerCase())
    throw new UsageError(`--deleted: line ${wrong + 1} of ${this.deleted} is no id of a user`)
  }

  #read(file: string) {
    try {
      return readFileSync(this.path(file), 'utf8')
    } catch (error) {
      throw new UsageError(`--deleted: ${file} ${unreadableFile(error)}`)
    }
  }

  #explain({ manifest, keyrings, verdict, logo }: RestoredBackup) {
    if (!manifest.isEncrypted) this.tell(NO_SECRETS)
    if (!keyrings.keepsTrail) this.tell(NO_TRAIL)
    if (!verdict) return this.tell('Nothing was changed: this was a dry run.')
    for (const name of Object.keys(keyrings.adopted))
      this.tell(`${name} of the backup is in DATA_DIR/secrets.json now.`)
    if (logo) this.tell(`The logo is in ${logo}: set BRAND_LOGO to it.`)
    this.#judge(verdict, keyrings.keepsTrail ? 'its audit log' : 'the new audit log')
    this.tell('Nothing is sent until you run backup:resume.')
  }

  #judge({ isWhole, events, broken }: NonNullable<RestoredBackup['verdict']>, log: string) {
    const restored = `${basename(this.file)} is restored`
    if (isWhole)
      return this.tell(
        `${restored}, and ${log} is whole: ${string.pluralize('event', events, true)}.`
      )
    this.exitCode = EXIT.failed
    const where = broken ? `, at event ${broken.sequence}` : ''
    this.tell(`${restored}, but ${log} is not whole${where}: see audit:verify.`)
  }
}
