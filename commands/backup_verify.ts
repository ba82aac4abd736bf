import { args } from '@adonisjs/core/ace'
import { BackupCommand } from './_backup_command.ts'

export default class BackupVerify extends BackupCommand {
  static commandName = 'backup:verify'
  static description = 'Read a backup to its end and prove that it is whole'
  static help = [
    'Opens the archive, compares each part with the manifest, and says what a restore would',
    'bring back. It changes nothing, and exits with 1 for a backup that cannot be used.',
    '',
    'Examples:',
    '  {{ binaryName }} backup:verify gatehouse.tar.zst.age --identity=key.txt',
    '  {{ binaryName }} backup:verify gatehouse.tar.zst.age < passphrase.txt',
  ]

  @args.string({ description: 'The archive' })
  declare file: string

  /** The command reads only the archive. */
  protected override get needsTables() {
    return false
  }

  async perform() {
    const { verifyBackup } = await import('#backup/verify')
    const path = this.path(this.file)
    const onProgress = this.showProgress
    const { manifest, counts } = await verifyBackup(path, {
      ...(await this.opening(path)),
      onProgress,
    })
    this.printRecord(this.recordOf(manifest, counts))
    this.tell('The backup is whole.')
    await this.#note()
  }

  /** `doctor` tells when a backup was opened here; another machine may have no database. */
  async #note() {
    const { noteVerifiedHere } = await import('#backup/scheduled/state')
    await noteVerifiedHere().catch(() => {})
  }
}
