import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf } from './_user_records.ts'

export default class UserShow extends OperatorCommand {
  static commandName = 'user:show'
  static description = 'Show accounts with everything but secrets'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:show ada@example.org',
    '  {{ binaryName }} user:show ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails, handles or ids' })
  declare users: string[]

  async perform() {
    const { groupNamesOf } = await import('#groups/names_of')
    const records = await this.eachUser(this.users, async (user) => ({
      ...(await recordOf(user)),
      passkeys: user.passkeyCount,
      groups: this.#shown(await groupNamesOf(user)),
      ...(user.isDisabled && { disabledReason: user.disabledReason }),
    }))
    const isOne = this.users.length === 1
    if (this.json && !(isOne && this.exitCode)) this.printJson(isOne ? records[0] : records)
    if (this.json) return
    for (const record of records) this.printRecord(record)
  }

  #shown(groups: string[]) {
    return this.json ? groups : groups.join(', ')
  }
}
