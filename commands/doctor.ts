import { EXIT } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Diagnosis } from '#health/diagnostics'

const MARKS = { ok: '✔', warning: '!', error: '✖' }

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

  /** Missing tables are a result of this command, so it does not create them first. */
  protected override get needsTables() {
    return false
  }

  async perform() {
    const { runDiagnostics } = await import('#health/diagnostics')
    const results: Diagnosis[] = []
    for await (const result of runDiagnostics()) {
      results.push(result)
      if (!this.json) this.#show(result)
    }
    if (this.json) this.printJson(results.map(toRecord))
    if (results.some(({ status }) => status === 'error')) this.exitCode = EXIT.failed
  }

  #show({ name, status, message, meta }: Diagnosis) {
    process.stdout.write(`${MARKS[status]} ${name.padEnd(14)} ${message}\n`)
    if (meta?.remedy) process.stdout.write(`${' '.repeat(17)}→ ${meta.remedy}\n`)
  }
}

/** The members of `--json`, which scripts know. */
function toRecord({ name, status, message, meta }: Diagnosis) {
  const state = status === 'error' ? 'fault' : status
  return { subject: name, state, finding: message, remedy: meta?.remedy }
}
