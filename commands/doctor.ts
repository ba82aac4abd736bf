import { EXIT, OperatorCommand } from './_operator_command.ts'
import type { CheckResult } from '#health/diagnostics'

const MARKS = { ok: '✔', warning: '!', fault: '✖' }

export default class Doctor extends OperatorCommand {
  static commandName = 'doctor'
  static description = 'Check this installation: one line for each thing, with its remedy'
  static help = [
    'Exits with 1 where something is wrong, and with 0 where there are only warnings.',
    '',
    'Examples:',
    '  {{ binaryName }} doctor',
    '  {{ binaryName }} doctor --json',
  ]

  /** What is missing is what it is asked for. */
  protected override get needsTables() {
    return false
  }

  async perform() {
    const { runDiagnostics } = await import('#health/diagnostics')
    const results: CheckResult[] = []
    for await (const result of runDiagnostics(this.app)) {
      results.push(result)
      if (!this.json) this.#show(result)
    }
    if (this.json) this.printJson(results)
    if (results.some(({ state }) => state === 'fault')) this.exitCode = EXIT.failed
  }

  #show({ state, subject, result, remedy }: CheckResult) {
    process.stdout.write(`${MARKS[state]} ${subject.padEnd(14)} ${result}\n`)
    if (remedy) process.stdout.write(`${' '.repeat(17)}→ ${remedy}\n`)
  }
}
