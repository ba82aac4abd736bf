import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ace, aceToFile, type RunOptions } from './ace.ts'
import { ADMIN, WITH_ADMIN } from './application.ts'
import { CommandProcess } from './command_process.ts'
import { newDataDir, newDataDirFor, Product } from './product.ts'

type Settings = Record<string, string>

/** The servers that an installation needs. They are removed with it. */
interface Servers {
  settings: Settings
  remove: () => Promise<void>
}

/** A started product with its commands. Its data, secrets and settings survive restarts. */
export class Installation {
  product!: Product
  readonly settings: Settings
  #commands: CommandProcess | null = null
  #token?: string

  private constructor(
    readonly backend: Servers | null,
    settings: Settings,
    readonly dataDir = newDataDir()
  ) {
    this.settings = { ...backend?.settings, ...WITH_ADMIN, ...settings }
  }

  /** @param backend null for SQLite in a separate folder */
  static async start(backend: Servers | null, settings: Settings = {}) {
    const dataDir = newDataDirFor({ ...backend?.settings, ...settings })
    const installation = new Installation(backend, settings, dataDir)
    await installation.serve()
    return installation
  }

  /** Does not start the product: commands make its tables. */
  static prepare(backend: Servers | null, settings: Settings = {}) {
    return new Installation(backend, settings)
  }

  async serve() {
    this.product = await Product.start(this.settings, this.dataDir)
  }

  /** Returns how the start of a product fails that must not start. */
  async refusalOfStart() {
    const { child, output } = await Product.spawn(this.settings, this.dataDir)
    const [code] = await once(child, 'close')
    return { code, output: output.join('') }
  }

  async restart(settings: Settings = {}) {
    await this.product.stop()
    Object.assign(this.settings, settings)
    await this.serve()
  }

  /** Starts a server on a copy of the files of this one (docs/deploy.md, “Backup and restore”). */
  async startCopy() {
    const copy = new Installation(null, this.settings)
    const database = new Sqlite(join(this.dataDir, 'gatehouse.sqlite'), { readonly: true })
    await database.backup(join(copy.dataDir, 'gatehouse.sqlite'))
    database.close()
    copyFileSync(join(this.dataDir, 'secrets.json'), join(copy.dataDir, 'secrets.json'))
    await copy.serve()
    return copy
  }

  /** Returns the addresses of all users in the SQLite file, or none if it has no tables yet. */
  storedEmails() {
    const file = join(this.dataDir, 'gatehouse.sqlite')
    if (!existsSync(file)) return []
    const database = new Sqlite(file)
    try {
      const tables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).all()
      return tables.length === 0 ? [] : database.prepare('SELECT email FROM users').pluck().all()
    } finally {
      database.close()
    }
  }

  run(args: string[], { stdin, settings }: RunOptions = {}) {
    return ace(this.dataDir, args, { stdin, settings: { ...this.settings, ...settings } })
  }

  /** Runs a command whose standard output goes to a file. */
  pipe(args: string[], { stdin, path }: { stdin: string; path: string }) {
    return aceToFile(this.dataDir, args, { stdin, path, settings: this.settings })
  }

  /** @throws with the output of the command, unless it exits with 0 */
  async succeed(args: string[], options?: RunOptions) {
    const result = await this.run(args, options)
    if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return result
  }

  /**
   * Runs a command in the process of the earlier ones, with the settings of the first one.
   * @throws with the output of the command, unless it exits with 0
   */
  command(args: string[], stdin?: string) {
    this.#commands ??= new CommandProcess(this.dataDir, this.settings)
    return this.#commands.succeed(args, stdin)
  }

  /** Ends that process, before settings, servers or data change. */
  async endCommands() {
    await this.#commands?.stop()
    this.#commands = null
  }

  /** Runs `secrets:rotate`. A value printed for a keyring in the environment becomes a setting. */
  async rotateSecrets(...flags: string[]) {
    const { json } = await this.succeed(['secrets:rotate', ...flags, '--json'])
    const keyrings: { name: string; entries: number; value?: string }[] = json()
    for (const { name, value } of keyrings) if (value) this.settings[name] = value
    return keyrings
  }

  /** Sends a request as the administrator, who signs in again when the last token is refused. */
  async asAdmin(path: string, { method, body }: { method?: string; body?: object } = {}) {
    const send = () => this.product.ask(path, { method, body, token: this.#token })
    let answer = await send()
    if (answer.status === 401 || answer.status === 403) {
      this.#token = await this.adminToken()
      answer = await send()
    }
    if (answer.status < 300) return answer.body
    throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  async adminToken() {
    const login = await this.product.ask('/auth/login', { body: ADMIN })
    return login.body.accessToken as string
  }

  async remove() {
    await this.endCommands()
    await this.product?.stop('SIGKILL')
    await this.backend?.remove()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
