import { args } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

/** The message does not repeat the argument, which may be a token. */
const FROM_STDIN = 'A token is read from standard input only: token:inspect < token.txt'

export default class TokenInspect extends OperatorCommand {
  static commandName = 'token:inspect'
  static description = 'Show the claims of a token, and whether and why it is refused'
  static help = [
    'The token is read from standard input or asked for: a command line is visible to others.',
    '',
    'Examples:',
    '  {{ binaryName }} token:inspect < token.txt',
    '  pbpaste | {{ binaryName }} token:inspect --json',
  ]

  @args.string({ description: 'Only “-”, for standard input', required: false })
  declare source?: string

  async perform() {
    const { inspectToken } = await import('#auth/tokens/inspection')
    if (this.source !== undefined && this.source !== '-') throw new UsageError(FROM_STDIN)
    const token = await this.secret('Token')
    const { isAccepted, ...inspection } = await inspectToken(token)
    this.printRecord({ accepted: isAccepted, ...inspection })
  }
}
