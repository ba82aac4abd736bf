import { args, flags } from '@adonisjs/core/ace'
import { CLIENT_COLUMNS } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientDelete extends OperatorCommand {
  static commandName = 'client:delete'
  static description = 'Remove a client and end every session that people have with it'

  @args.string({ description: 'Client id' })
  declare client: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { deleteClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const { id, name } = await getClientByNameOrFail(this.client)
    await this.confirm(`Remove ${name} and end its sessions?`, this.yes)
    const deleted = await deleteClient(id, this.actor)
    this.print([{ ...toRecord(deleted) }], CLIENT_COLUMNS)
  }
}
