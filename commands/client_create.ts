import { flags } from '@adonisjs/core/ace'
import { ClientSettingsCommand } from './_client_command.ts'

export default class ClientCreate extends ClientSettingsCommand {
  static commandName = 'client:create'
  static description = 'Register an application that signs people in here'
  static help = [
    'Prints the client id and, once, the secret. See docs/openid-provider.md.',
    '',
    'Examples:',
    '  {{ binaryName }} client:create --name=Grafana --kind=first_party \\',
    '    --redirect-uri=https://grafana.example.org/login/generic_oauth',
    '  {{ binaryName }} client:create --name="Mobile app" --auth-method=none \\',
    '    --redirect-uri=com.example.app:/callback',
    '  {{ binaryName }} client:create --name=Wiki --client-id=wiki --client-secret \\',
    '    --redirect-uri=https://wiki.example.org/callback < secret.txt',
  ]

  @flags.string({ description: 'The client id; made unless given' })
  declare clientId?: string

  @flags.boolean({ description: 'Read the secret from standard input instead of making one' })
  declare clientSecret: boolean

  async perform() {
    const { createClientValidator } = await import('#validators/clients')
    const { createClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const settings = await createClientValidator.validate({
      ...(await this.readSettings()),
      clientId: this.clientId,
      clientSecret: this.clientSecret ? await this.secret('Client secret') : undefined,
    })
    const { client, clientSecret } = await createClient(settings, this.actor)
    this.printClient({ ...toRecord(client), clientSecret })
  }
}
