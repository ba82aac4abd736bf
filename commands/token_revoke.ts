import { OperatorCommand } from './_operator_command.ts'

export default class TokenRevoke extends OperatorCommand {
  static commandName = 'token:revoke'
  static description = 'Refuse an access token from the next request on'
  static help = [
    'The token is read from standard input or asked for: a command line is visible to others.',
    '',
    'Examples:',
    '  {{ binaryName }} token:revoke < token.txt',
  ]

  async perform() {
    const { readRevocableTokenOrFail, revokeAccessToken } = await import('#auth/tokens/revocation')
    const token = await this.secret('Access token')
    await revokeAccessToken(await readRevocableTokenOrFail(token), this.actor)
    this.printRecord({ revoked: true })
  }
}
