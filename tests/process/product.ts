import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { endWithSuite } from '#tests/support/children'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'

export const root = join(import.meta.dirname, '../..')

/** The time for which a machine may be too busy for the product's own deadlines. */
export const BUSY_MS = 30_000

const KEPT_RESOLUTIONS = join(import.meta.dirname, 'kept_resolutions.js')

const HERE = { program: [process.execPath], folder: root }

/** The product as an operator runs it: built, in a separate process, with a separate folder. */
export class Product {
  readonly output: string[] = []
  readonly #closed: Promise<void>

  private constructor(
    readonly url: string,
    readonly dataDir: string,
    readonly child: ChildProcess
  ) {
    child.stdout!.on('data', (chunk) => this.output.push(String(chunk)))
    child.stderr!.on('data', (chunk) => this.output.push(String(chunk)))
    this.#closed = new Promise((resolve) => child.once('close', resolve))
  }

  /**
   * @param dataDir a new folder with the tables by default, which no test of a first start uses
   * @param command for another place: the program with its first arguments, and its folder
   */
  static async spawn(settings: Settings = {}, dataDir?: string, command = HERE) {
    dataDir ??= command === HERE ? newDataDirFor(settings) : newDataDir()
    const port = settings.PORT ?? String(await freePort())
    const [program, ...args] = command.program
    const child = spawn(program, [...args, 'bin/launch.js', 'serve'], {
      cwd: command.folder,
      env: {
        ...environmentOf(command),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ...settings,
        PORT: port,
      },
    })
    return new Product(`http://127.0.0.1:${port}`, dataDir, endWithSuite(child))
  }

  /** The address by which the product names itself, unless `APP_URL` is set. */
  get publicUrl() {
    return this.url.replace('127.0.0.1', 'localhost')
  }

  /** Starts a product, and waits until it answers. */
  static async start(settings: Settings = {}, dataDir?: string, command = HERE) {
    const product = await Product.spawn(settings, dataDir, command)
    await product.answers()
    return product
  }

  /** Waits until the product answers at all. Throws its output if the product has ended instead. */
  async answers(path = '/health/live', deadlineMs = 60_000) {
    const deadline = Date.now() + deadlineMs
    while (Date.now() < deadline && this.child.exitCode === null) {
      const response = await fetch(this.url + path).catch(() => null)
      if (response?.ok) return
      await wait(20)
    }
    throw new Error(`The product did not answer.\n${this.output.join('')}`)
  }

  /**
   * Repeats a request while it is answered with 503, as a client does. On a busy machine the
   * product keeps its own deadlines, and such an answer proves no defect.
   */
  async ask(path: string, request: JsonRequest = {}) {
    return askAgain(() => this.request(path, request))
  }

  /** Sends a JSON request one time, and reads the answer. */
  async request(path: string, request: JsonRequest = {}) {
    const response = await fetch(this.url + path, jsonRequest(request))
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null, response }
  }

  /**
   * Lets no file of the process grow beyond this number of bytes, as on a full disk. Null removes
   * the limit. Any user may set it; connections and pipes are not affected.
   */
  limitFiles(bytes: number | null) {
    execFileSync('prlimit', ['--pid', String(this.child.pid), `--fsize=${bytes ?? 'unlimited'}:`])
  }

  /** The complete lines of its output. */
  get lines() {
    return this.output.join('').split('\n').slice(0, -1)
  }

  hasLogged(text: string) {
    return this.output.join('').includes(text)
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Sends a signal and resolves with the exit code, or null if the process was killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (this.hasEnded) return this.child.exitCode
    const exit = once(this.child, 'exit')
    this.child.kill(signal)
    const [code] = await exit
    return code as number | null
  }

  /** Resolves with the exit code of a process that ends by itself, after its output was read. */
  async exits() {
    await this.#closed
    return this.child.exitCode
  }

  /** Kills the process and removes its folder. */
  async remove() {
    await this.stop('SIGKILL')
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

/** Repeats a request until the answer is not 503. */
export async function askAgain<Answer extends { status: number }>(ask: () => Promise<Answer>) {
  const deadline = Date.now() + BUSY_MS
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || Date.now() > deadline) return answer
    await wait(200)
  }
}

type Settings = Record<string, string>

export interface JsonRequest {
  method?: string
  body?: object
  token?: string
  headers?: Record<string, string>
}

/** Returns a JSON request for `fetch`. `body` makes it a POST unless `method` says otherwise. */
export function jsonRequest({ method, body, token, headers }: JsonRequest) {
  return {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  }
}

/** Makes an empty folder, in which a start makes everything. */
export function newDataDir() {
  return temporaryFolder('product')
}

/** Makes a folder whose SQLite file has the tables, unless the settings name another database. */
export function newDataDirFor({ DB_CONNECTION }: Settings = {}) {
  const dataDir = newDataDir()
  if (DB_CONNECTION !== 'pg') copyTables(join(dataDir, DATABASE))
  return dataDir
}

/** The file that the process of the tests has migrated, and its copy. */
const DATABASE = 'gatehouse.sqlite'
let tables: string | undefined

/** Migrations are a sixth of a first start. Each product gets a version row of its own. */
function copyTables(file: string) {
  const { NODE_ENV, DATA_DIR = '' } = process.env
  const source = join(DATA_DIR, DATABASE)
  if (NODE_ENV !== 'test' || !existsSync(source)) return
  tables ??= keepTables(source)
  copyFileSync(tables, file)
  const database = new Sqlite(file)
  database.pragma('synchronous = OFF')
  database.exec('UPDATE configuration_version SET version = lower(hex(randomblob(16)))')
  database.close()
}

function keepTables(source: string) {
  const kept = join(temporaryFolder('tables'), DATABASE)
  const database = new Sqlite(source)
  database.prepare('VACUUM INTO ?').run(kept)
  database.close()
  chmodSync(kept, 0o600)
  return kept
}

/** Returns the environment of this process without the settings of the test run. */
export function cleanEnvironment() {
  const { PATH, HOME, USER, TMPDIR, LANG, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, USER, TMPDIR, LANG, NODE_COMPILE_CACHE }
}

/** Returns the environment of the product in this folder, whose files are stable during tests. */
export function environmentHere() {
  const environment = cleanEnvironment()
  if (!environment.NODE_COMPILE_CACHE) return environment
  return { ...environment, NODE_OPTIONS: `--import=${KEPT_RESOLUTIONS}` }
}

function environmentOf({ folder }: typeof HERE) {
  return folder === root ? environmentHere() : cleanEnvironment()
}
