import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#tests/support/free_port'
import { ace } from './ace.ts'
import { cleanEnvironment, type Product } from './product.ts'

const folder = join(import.meta.dirname, '../../examples/express')

type Settings = Record<string, string>

/** The example application, started in the same way as a newcomer starts it. */
export class Example {
  #output = ''
  #isClosed = false

  private constructor(
    readonly url: string,
    readonly child: ChildProcess
  ) {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => (this.#output += chunk))
    }
    child.once('close', () => (this.#isClosed = true))
  }

  /** Runs in a process group, because npm starts a shell, which starts the example. */
  static spawn(settings: Settings = {}) {
    const env = { ...cleanEnvironment(), ...settings }
    const child = spawn('npm', ['start'], { cwd: folder, env, detached: true })
    return new Example(`http://localhost:${settings.PORT}`, child)
  }

  /** Starts an example, and waits until it answers. */
  static async start(settings: Settings) {
    const example = Example.spawn(settings)
    await example.says('The example is at')
    return example
  }

  /** Registers the example with the product by command, and starts it. */
  static async beside(product: Product) {
    const PORT = String(await freePort())
    const { clientId, clientSecret } = await register(product, `http://localhost:${PORT}`)
    const client = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
    return Example.start({ ISSUER: product.publicUrl, PORT, ...client })
  }

  /** Resolves with the output when it contains this text. Throws it if the process ends first. */
  async says(text: string) {
    while (!this.#output.includes(text)) {
      if (this.#isClosed) throw new Error(this.#output)
      await wait(20)
    }
    return this.#output
  }

  async stop() {
    if (this.#isClosed) return
    const closed = once(this.child, 'close')
    process.kill(-this.child.pid!, 'SIGKILL')
    await closed
  }
}

async function register(product: Product, url: string) {
  const settings = [
    '--name=Example',
    '--kind=first_party',
    '--require-verified-email=off',
    `--redirect-uri=${url}/callback`,
    `--post-logout-redirect-uri=${url}/`,
    `--backchannel-logout-uri=${url}/backchannel-logout`,
  ]
  const { json } = await ace(product.dataDir, ['client:create', ...settings, '--json'])
  return json() as { clientId: string; clientSecret: string }
}
