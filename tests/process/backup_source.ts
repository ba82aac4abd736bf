import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD } from '#tests/support/users'
import { newIdentity } from '../functional/backup/archives.ts'
import { CommandProcess } from './command_process.ts'
import { Installation } from './installation.ts'

/** An installation with a user and keys, and its backups with and without encryption. */
export class BackupSource {
  private constructor(
    readonly installation: Installation,
    readonly user: { id: string; email: string; password: string },
    readonly apiKey: string
  ) {}

  static async start() {
    const installation = await Installation.start(null)
    const user = { email: 'grace@example.org', password: PASSWORD, username: 'Grace' }
    const { body } = await installation.product.request('/auth/register', { body: user })
    const path = `/users/${body.id}/api-keys`
    const key = { name: 'Report', scopes: ['profile:read'] }
    const { key: apiKey } = await installation.asAdmin(path, { body: key })
    // The first read makes the signing key.
    await installation.product.ask('/.well-known/jwks.json')
    const source = new BackupSource(installation, { ...user, id: body.id }, apiKey)
    await source.#backUp()
    return source
  }

  file(name: 'backup.age' | 'plain' | 'key.txt' | 'changed') {
    return join(this.installation.dataDir, name)
  }

  /** The arguments that open the encrypted backup. */
  get opened() {
    return [this.file('backup.age'), `--identity=${this.file('key.txt')}`]
  }

  change(content: Uint8Array) {
    writeFileSync(this.file('changed'), content)
    return this.file('changed')
  }

  async #backUp() {
    const { identity, recipient } = await newIdentity()
    writeFileSync(this.file('key.txt'), identity)
    const [encrypted, plain] = [this.file('backup.age'), this.file('plain')]
    const { dataDir, settings } = this.installation
    const commands = new CommandProcess(dataDir, settings)
    try {
      await commands.succeed(['backup:create', `--recipient=${recipient}`, `--output=${encrypted}`])
      await commands.succeed(['backup:create', `--output=${plain}`])
    } finally {
      await commands.stop()
    }
  }

  remove() {
    return this.installation.remove()
  }
}
