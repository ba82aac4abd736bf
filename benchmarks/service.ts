import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../tests/support/free_port.ts'
import { cpuTime, programOf, residentMemory, SERVER_CORE } from './machine.ts'
import type { CountedOperation } from './statements.ts'
import type { Target, OperationName } from './targets.ts'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

const root = join(import.meta.dirname, '..')
export const PASSWORD = 'Correct-h0rse!'
const JSON_BODY = { 'content-type': 'application/json' }

/** As many users as this take part, so that no target is measured on one hot row. */
export const USERS = 24

/** A running target, on the core of servers. */
export class Service {
  readonly requests: Partial<Record<OperationName, Request[]>> = {}
  startMs = 0
  idleMb = 0
  #output = ''

  private constructor(
    readonly target: Target,
    readonly url: string,
    readonly child: ChildProcess
  ) {
    const keep = (chunk: Buffer) => (this.#output = (this.#output + chunk).slice(-2_000))
    child.stdout!.on('data', keep)
    child.stderr!.on('data', keep)
  }

  static async start(target: Target) {
    const port = await freePort()
    const { PATH, HOME } = process.env
    const url = `http://127.0.0.1:${port}`
    const names = target.portVariables ?? { port: 'PORT', url: 'APP_URL' }
    const at = { HOST: '127.0.0.1', [names.port]: `${port}`, [names.url]: url }
    const startedAt = performance.now()
    const pinned = ['-c', SERVER_CORE, target.program ?? process.execPath]
    const child = spawn('taskset', [...pinned, ...target.command], {
      cwd: root,
      env: { PATH, HOME, NODE_ENV: 'production', ...at, ...target.env },
    })
    const service = new Service(target, url, child)
    await service.#answers().catch(async (error) => {
      await service.stop()
      throw error
    })
    service.startMs = Math.round(performance.now() - startedAt)
    return service
  }

  /** The id of the server process itself, even if a script has started it. */
  get pid() {
    return programOf(this.child.pid!)
  }

  async #answers() {
    const deadline = Date.now() + (this.target.program ? 600_000 : 30_000)
    const health = this.url + (this.target.health ?? '/health')
    while (Date.now() < deadline && this.child.exitCode === null) {
      const response = await fetch(health).catch(() => null)
      if (response?.ok) return
      await wait(10)
    }
    throw new Error(`${this.target.name} did not start.\n${this.#output}`)
  }

  /** A product that ignores STORE must not be measured under the name of the store. */
  async #assertStore() {
    const { role, env } = this.target
    if (role !== 'product' || !env.STORE) return
    const response = await fetch(`${this.url}/health/redis`)
    const { driver } = (await response.json()) as { driver: string }
    if (driver !== env.STORE) throw new Error(`its store is ${driver}, not ${env.STORE}`)
  }

  /** Creates the users, logs each in and notes the requests that it can send. */
  async prepare() {
    await this.#assertStore()
    await wait(1_500)
    this.idleMb = residentMemory(this.pid)
    const { api, role } = this.target
    if (role === 'provider') return
    if (!api.login) {
      this.requests.profile = [{ method: 'GET', path: api.profile, headers: {} }]
      return
    }
    for (let count = 1; count <= USERS; count++) await this.#enrol(`user${count}@example.org`)
  }

  async #enrol(email: string) {
    const { api } = this.target
    const user = { email, username: 'Ada', name: 'Ada', password: PASSWORD }
    await this.#post(api.register!, user)
    const login = await this.#post(api.login!, { email, password: PASSWORD })
    const headers = api.credentials(login)
    this.#note('login', 'POST', api.login!, JSON_BODY, { email, password: PASSWORD })
    this.#note('profile', 'GET', api.profile, headers)
    const { refreshToken } = login.body
    if (api.refresh) this.#note('refresh', 'POST', api.refresh, JSON_BODY, { refreshToken })
  }

  #note(
    operation: OperationName,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object
  ) {
    this.requests[operation] ??= []
    this.requests[operation].push({ method, path, headers, body: body && JSON.stringify(body) })
  }

  /** Returns requests of one kind, each by another user; null if the service lacks this kind. */
  async requestsOf(operation: CountedOperation, count: number): Promise<Request[] | null> {
    if (operation in this.requests)
      return this.requests[operation as OperationName]!.slice(0, count)
    if (this.target.role !== 'product') return null
    const users = Array.from({ length: count }, (_, at) => `user${at + 1}@example.org`)
    return Promise.all(users.map((email) => this.#ownRequest(operation, email)))
  }

  async #ownRequest(operation: CountedOperation, email: string): Promise<Request> {
    const { login, credentials } = this.target.api
    if (operation === 'failed login') {
      const body = JSON.stringify({ email, password: `not ${PASSWORD}` })
      return { method: 'POST', path: login!, headers: JSON_BODY, body }
    }
    const answer = await this.#post(login!, { email, password: PASSWORD })
    const headers = { ...JSON_BODY, ...credentials(answer) }
    if (operation === 'logout') return { method: 'POST', path: '/auth/logout', headers, body: '{}' }
    const body = JSON.stringify({ nickname: 'Countess' })
    return { method: 'PUT', path: '/auth/profile', headers, body }
  }

  /** Sends one request and reads its answer, whatever it is. */
  async send({ method, path, headers, body }: Request) {
    const response = await fetch(this.url + path, { method, headers, body })
    await response.arrayBuffer()
  }

  /** The headers of a user's requests. */
  async signIn(user: { email: string; password: string }) {
    const { login, credentials } = this.target.api
    return { ...JSON_BODY, ...credentials(await this.#post(login!, user)) }
  }

  /** @returns the id of the new user */
  async register(email: string): Promise<string> {
    const user = { email, username: 'Ada', password: PASSWORD }
    const { body } = await this.#post(this.target.api.register!, user)
    return body.id
  }

  async #post(path: string, body: object) {
    const headers = { ...JSON_BODY, origin: this.url }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(this.url + path, init)
    if (response.ok) return { body: (await response.json()) as any, headers: response.headers }
    throw new Error(`${this.target.name} ${path}: ${response.status} ${await response.text()}`)
  }

  cpuTime() {
    return cpuTime(this.pid)
  }

  async stop() {
    if (this.child.exitCode !== null) return
    const exit = once(this.child, 'exit')
    process.kill(this.pid, 'SIGKILL')
    await exit
  }
}
