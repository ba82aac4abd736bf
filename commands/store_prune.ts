import { OperatorCommand } from './_operator_command.ts'

export default class StorePrune extends OperatorCommand {
  static commandName = 'store:prune'
  static description =
    'Remove what has expired and remind of API keys; a running server does so by itself'
  static help = ['Examples:', '  {{ binaryName }} store:prune --json']

  async perform() {
    const { pruneExpired } = await import('#maintenance/prune_expired')
    const { remindOfExpiringKeys } = await import('#auth/api_keys/reminders')
    const removed = await pruneExpired()
    this.printRecord({ removed, reminders: await remindOfExpiringKeys() })
  }
}
