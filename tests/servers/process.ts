import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/** A server of the tests: its own process, which is stopped by its id. */
export class ServerProcess {
  #output = ''

  private constructor(readonly child: ChildProcess) {
    const keep = (chunk: Buffer) => (this.#output = (this.#output + chunk).slice(-4_000))
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
  }

  /** Starts a program and waits until `answers` resolves to true. */
  static async start(command: string[], options: SpawnOptions, answers: () => Promise<boolean>) {
    const [program, ...args] = command
    const server = new ServerProcess(spawn(program, args, options))
    const deadline = Date.now() + 60_000
    while (Date.now() < deadline && server.child.exitCode === null) {
      if (await answers().catch(() => false)) return server
      await wait(25)
    }
    server.child.kill('SIGKILL')
    throw new Error(`${program} did not start.\n${server.#output}`)
  }

  signal(signal: NodeJS.Signals) {
    this.child.kill(signal)
  }

  /** Ends the process with a signal and waits until it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exit = once(this.child, 'exit')
    this.child.kill(signal)
    await exit
  }
}
