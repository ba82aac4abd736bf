import { args } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
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
    const settings = await this.readSettings()
    if (Object.keys(settings).length === 0) throw new UsageError('Nothing is given. See --help.')
    const changes = await updateClientValidator.validate(settings)
    const { id } = await getClientByNameOrFail(this.client)
    this.printClient(toRecord(await updateClient(id, changes, this.actor)))
  }
}
