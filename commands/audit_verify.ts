import { EXIT } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class AuditVerify extends OperatorCommand {
  static commandName = 'audit:verify'
  static description = 'Prove that no audit event was changed or removed'
  static help = [
    'Exits with 1 and names the first broken link where the trail is not whole.',
    '',
    'Examples:',
    '  {{ binaryName }} audit:verify',
    '  {{ binaryName }} audit:verify --json',
  ]

  async perform() {
    const { verifyTrail } = await import('#audit/verification')
    const verdict = await verifyTrail((events) => this.#progress(events))
    if (process.stderr.isTTY) this.tell('')
    this.printRecord({ ...verdict })
    if (verdict.isWhole)
      return this.tell(`The trail is whole: ${verdict.events.toLocaleString('en-GB')} events.`)
    this.exitCode = EXIT.failed
    const { chain, sequence, fault } = verdict
    this.tell(`The trail is broken: event ${sequence} of chain ${chain} is ${fault}.`)
  }

  #progress(events: number) {
    if (process.stderr.isTTY) process.stderr.write(`\r${events} events`)
  }
}
