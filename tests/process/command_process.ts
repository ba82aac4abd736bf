import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { endWithSuite } from '#tests/support/children'
import { environmentHere, root } from './product.ts'

const PROGRAM = join(import.meta.dirname, 'command_process.js')

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/**
 * Runs commands of the build in one process that starts one time, because the start is most of a
 * command's cost. It is for tests of what a command does, not of how its process begins and ends.
 */
export class CommandProcess {
  readonly #child: ChildProcess
  readonly #lines: Interface
  readonly #ended: Promise<never>
  #previous: Promise<unknown> = Promise.resolve()

  constructor(dataDir: string, settings: Record<string, string> = {}) {
    const env = { ...environmentHere(), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings }
    const stdio = ['pipe', 'pipe', 'inherit'] as const
    const child = spawn(process.execPath, [PROGRAM], { cwd: root, env, stdio: [...stdio] })
    this.#child = endWithSuite(child)
    this.#lines = createInterface({ input: this.#child.stdout! })
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error('The process of the commands has ended.')
    })
    this.#ended.catch(() => {})
  }

  /** Runs one command at a time. */
  run(args: string[], stdin = '') {
    const result = this.#previous.then(() => this.#run(args, stdin))
    this.#previous = result.catch(() => {})
    return result
  }

  /** @throws with the output of the command, unless it exits with 0 */
  async succeed(args: string[], stdin?: string) {
    const result = await this.run(args, stdin)
    if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return result
  }

  async #run(args: string[], stdin: string) {
    this.#child.stdin!.write(`${JSON.stringify({ args, stdin })}\n`)
    const [line] = await Promise.race([once(this.#lines, 'line'), this.#ended])
    const { code, stdout, stderr }: CommandResult = JSON.parse(line)
    return { code, stdout, stderr, json: () => JSON.parse(stdout) }
  }

  async stop() {
    const exit = once(this.#child, 'exit')
    if (this.#child.kill('SIGKILL')) await exit
  }
}
