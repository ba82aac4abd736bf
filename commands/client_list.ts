import { CLIENT_COLUMNS } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientList extends OperatorCommand {
  static commandName = 'client:list'
  static description = 'List the applications that sign people in here'

  async perform() {
    const { readClients } = await import('#oidc/clients/client_rows')
    const { toRecord } = await import('#oidc/clients/client')
    const clients = await readClients()
    this.print(clients.map(toRecord), CLIENT_COLUMNS)
  }
}
