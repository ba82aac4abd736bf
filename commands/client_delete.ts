import { args, flags } from '@adonisjs/core/ace'
import { CLIENT_COLUMNS } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientDelete extends OperatorCommand {
  static commandName = 'client:delete'
  static description = 'Delete an application and end every session with it'
  static help = [
    'Examples:',
    '  {{ binaryName }} client:delete 5f0c2a9d41be7730c8e1d6f2',
    '  {{ binaryName }} client:delete https://app.example.org/client.json --yes',
  ]

  @args.string({ description: 'Client id, or the address of its metadata document' })
  declare client: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    if (this.client.startsWith('https://')) return this.#deleteMetadataClient()
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { deleteClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const { id, name } = await getClientByNameOrFail(this.client)
    await this.confirm(`Remove ${name} and end its sessions?`, this.yes)
    const deleted = await deleteClient(id, this.actor)
    this.print([{ ...toRecord(deleted) }], CLIENT_COLUMNS)
  }

  /** A client of a metadata document may come back, and has to ask again. */
  async #deleteMetadataClient() {
    const { deleteMetadataClient } = await import('#oidc/client_id_metadata/metadata_clients')
    await this.confirm(`End every session with ${this.client}?`, this.yes)
    const deleted = await deleteMetadataClient(this.client, this.actor)
    this.print([deleted], CLIENT_COLUMNS.slice(0, 2))
  }
}
