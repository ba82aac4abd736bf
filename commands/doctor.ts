import { terminalText } from '#exceptions/terminal_text'
import { EXIT } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { TERMINAL_WIDTH, wrapText } from './_wrap.ts'
import type { Diagnosis } from '#health/diagnostics'

/** “second factors” is the longest name. */
const NAME_WIDTH = 14

const MARKS = { ok: '✔', warning: '!', error: '✖' }

export default class Doctor extends OperatorCommand {
  static commandName = 'doctor'
  static description = 'Check this installation: one line for each thing, with its remedy'
  static help = [
    'Exits with 1 if something is wrong, and with 0 if there are only warnings.',
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

  /** Escapes control characters: a mail server, for example, decides what its message says. */
  #show({ name, status, message, meta }: Diagnosis) {
    const first = `${MARKS[status]} ${name.padEnd(NAME_WIDTH)}  `
    const rest = ' '.repeat(first.length)
    const lines = wrapText(message, TERMINAL_WIDTH, { first, rest })
    const remedy = { first: `${rest}→ `, rest: `${rest}  ` }
    if (meta.remedy) lines.push(...wrapText(meta.remedy, TERMINAL_WIDTH, remedy))
    process.stdout.write(`${terminalText(lines.join('\n'))}\n`)
  }
}

/** Returns the members of `--json`, on which scripts depend. */
function toRecord({ name, status, message, meta }: Diagnosis) {
  const state = status === 'error' ? 'fault' : status
  return { subject: name, state, finding: message, remedy: meta.remedy }
}
