import { OperatorCommand } from './_operator_command.ts'

export default class StorePrune extends OperatorCommand {
  static commandName = 'store:prune'
  static description = 'Remove what has expired; a running server does so by itself'
  static help = ['Examples:', '  {{ binaryName }} store:prune --json']

  async perform() {
    const { pruneExpired } = await import('#auth/prune_expired')
    this.printRecord({ removed: await pruneExpired() })
  }
}
