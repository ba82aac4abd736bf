import { args, flags } from '@adonisjs/core/ace'
import { printable } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientRotateSecret extends OperatorCommand {
  static commandName = 'client:rotate-secret'
  static description = 'Give a client another secret; the previous one works for a day more'

  @args.string({ description: 'Client id' })
  declare client: string

  @flags.boolean({ description: 'Read the secret from standard input instead of making one' })
  declare clientSecret: boolean

  async perform() {
    const { rotateSecretValidator } = await import('#validators/clients')
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { rotateSecret } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const { id } = await getClientByNameOrFail(this.client)
    const given = this.clientSecret ? { clientSecret: await this.secret('Client secret') } : {}
    const valid = await rotateSecretValidator.validate(given)
    const { client, clientSecret } = await rotateSecret(id, this.actor, valid)
    const record = { ...toRecord(client), clientSecret }
    this.printRecord(this.json ? record : printable(record))
    this.tell('Keep the secret now: it is not shown again.')
  }
}
