import { flags } from '@adonisjs/core/ace'
import { CLIENT_COLUMNS } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

const DOCUMENT_COLUMNS = [
  { name: 'clientId', title: 'Client id', width: 80 },
  { name: 'users', title: 'Users', width: 9 },
  { name: 'consentedAt', title: 'Last consent', width: 24 },
]

/** A longer table would help no reader. */
const MOST = 100_000

export default class ClientList extends OperatorCommand {
  static commandName = 'client:list'
  static description = 'List the applications that sign people in here'
  static help = [
    'Examples:',
    '  {{ binaryName }} client:list --search=example.org',
    '  {{ binaryName }} client:list --documents --json',
  ]

  @flags.boolean({
    description:
      'Applications that are not registered, and that a user allowed (client id metadata documents)',
  })
  declare documents: boolean

  @flags.string({ description: 'A part of a name, of a client id or of a redirect address' })
  declare search?: string

  async perform() {
    if (this.documents) return this.#printDocuments()
    const { listClients } = await import('#oidc/clients/client_list')
    const { toRecord } = await import('#oidc/clients/client')
    const { clients } = await listClients({ search: this.search, limit: MOST })
    this.print(clients.map(toRecord), CLIENT_COLUMNS)
  }

  async #printDocuments() {
    const { listMetadataClients } = await import('#oidc/client_id_metadata/metadata_clients')
    const clients = await listMetadataClients()
    this.print(
      clients.map((client) => ({ ...client })),
      DOCUMENT_COLUMNS
    )
  }
}
