import { args } from '@adonisjs/core/ace'
import { printable } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientRotateSecret extends OperatorCommand {
  static commandName = 'client:rotate-secret'
  static description = 'Give a client another secret; the former one is good for a day more'

  @args.string({ description: 'Client id' })
  declare client: string

  async perform() {
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { rotateSecret } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const { id } = await getClientByNameOrFail(this.client)
    const { client, clientSecret } = await rotateSecret(id, this.actor)
    const record = { ...toRecord(client), clientSecret }
    this.printRecord(this.json ? record : printable(record))
    this.tell('Keep the secret now: it is not shown again.')
  }
}
