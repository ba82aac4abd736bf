import { args } from '@adonisjs/core/ace'
import { printable } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientShow extends OperatorCommand {
  static commandName = 'client:show'
  static description = 'Show the settings of a client'

  @args.string({ description: 'Client id' })
  declare client: string

  async perform() {
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { toRecord } = await import('#oidc/clients/client')
    const record = toRecord(await getClientByNameOrFail(this.client))
    this.printRecord(this.json ? { ...record } : printable(record))
  }
}
