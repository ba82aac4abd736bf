import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { flags } from '@adonisjs/core/ace'
import string from '@adonisjs/core/helpers/string'
import { unreadableFile, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Decryption } from '#backup/archive/age'
import type { BackupCounts } from '#backup/tally'
import type { Manifest } from '#backup/archive/manifest'

/** Reads an archive: its identity or passphrase comes from a file, a prompt or standard input. */
export abstract class BackupCommand extends OperatorCommand {
  abstract file: string

  @flags.string({ description: 'File with the identities of age, or - for standard input' })
  declare identity?: string

  protected async opening(path: string): Promise<Decryption> {
    const { protectionOf } = await import('#backup/archive/source')
    const protection = await protectionOf(path).catch((error) => this.#unreadable(error))
    if (protection === 'none') return {}
    if (protection === 'passphrase') return { passphrase: await this.secret('Passphrase') }
    return { identities: await this.#identities() }
  }

  #unreadable(error: NodeJS.ErrnoException): never {
    if (!error.code) throw error
    throw new UsageError(`${this.file} ${unreadableFile(error)}`)
  }

  async #identities() {
    const { identity } = this
    if (!identity) throw new UsageError('The backup is encrypted: name --identity=FILE.')
    const source = identity === '-' ? process.stdin : createReadStream(this.path(identity))
    const content = await text(source).catch((error) => {
      throw new UsageError(`--identity: ${identity} ${unreadableFile(error)}`)
    })
    const lines = content.split(/\r?\n/).map((line) => line.trim())
    const identities = lines.filter((line) => line && !line.startsWith('#'))
    const { isIdentity } = await import('#backup/archive/age')
    for (const each of identities) if (!(await isIdentity(each))) identities.length = 0
    if (identities.length > 0) return identities
    throw new UsageError(`--identity: ${identity} has no identity of age (AGE-SECRET-KEY-1…)`)
  }

  protected showProgress = (rows: number, what = 'rows') => {
    if (process.stderr.isTTY && !this.json) process.stderr.write(`\r${rows} ${what} \r`)
  }

  protected recordOf(manifest: Manifest, counts: BackupCounts) {
    const { createdAt, version, isEncrypted, auditHead } = manifest
    return {
      createdAt,
      age: ageOf(new Date(createdAt)),
      version,
      encrypted: isEncrypted,
      ...counts,
      auditHead: auditHead ? `${auditHead.sequence}:${auditHead.hash}` : null,
    }
  }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function ageOf(createdAt: Date) {
  const ms = Date.now() - createdAt.getTime()
  const [unit, length] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['minute', 60_000]
  const count = Math.max(0, Math.floor(ms / length))
  return string.pluralize(unit, count, true)
}
