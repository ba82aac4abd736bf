import { args } from '@adonisjs/core/ace'
import { ClientSettingsCommand } from './_client_command.ts'

export default class ClientUpdate extends ClientSettingsCommand {
  static commandName = 'client:update'
  static description = 'Change the settings of a client that are given'
  static help = [
    'A list that is given replaces the one of before.',
    '',
    'Examples:',
    '  {{ binaryName }} client:update 5f0c2a9d41be7730c8e1d6f2 \\',
    '    --redirect-uri=https://a.example.org/cb --redirect-uri=https://b.example.org/cb',
  ]

  @args.string({ description: 'Client id' })
  declare client: string

  async perform() {
    const { updateClientValidator } = await import('#validators/clients')
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { updateClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const changes = await updateClientValidator.validate(this.given)
    const { id } = await getClientByNameOrFail(this.client)
    this.printClient(toRecord(await updateClient(id, changes, this.actor)))
  }
}
