import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

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
    const token = await this.secret('Token')
    const { isAccepted, ...inspection } = await inspectToken(token)
    this.printRecord({ accepted: isAccepted, ...inspection })
  }
}
