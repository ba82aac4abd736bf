import { args, flags } from '@adonisjs/core/ace'
import { printable } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class ClientRotateSecret extends OperatorCommand {
  static commandName = 'client:rotate-secret'
  static description = 'Give an application a new secret; the current one works for one more day'
  static help = [
    'Examples:',
    '  {{ binaryName }} client:rotate-secret 5f0c2a9d41be7730c8e1d6f2',
    '  {{ binaryName }} client:rotate-secret wiki --client-secret < secret.txt',
  ]

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
