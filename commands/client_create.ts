import { flags } from '@adonisjs/core/ace'
import { ClientSettingsCommand } from './_client_command.ts'
import type { CopiedText } from '#oidc/presets/fill_template'

export default class ClientCreate extends ClientSettingsCommand {
  static commandName = 'client:create'
  static description = 'Register an application that signs people in here'
  static help = [
    'Prints the client id and, once, the secret. See docs/openid-provider.md.',
    '',
    'Examples:',
    '  {{ binaryName }} client:create --preset=grafana --url=https://grafana.example.org',
    '  {{ binaryName }} client:create --name=Wiki --kind=first_party \\',
    '    --redirect-uri=https://wiki.example.org/callback',
    '  {{ binaryName }} client:create --name="Mobile app" --auth-method=none \\',
    '    --redirect-uri=com.example.app:/callback',
    '  {{ binaryName }} client:create --name=Wiki --client-id=wiki --client-secret \\',
    '    --redirect-uri=https://wiki.example.org/callback < secret.txt',
  ]

  @flags.string({ description: 'Client id; created unless given' })
  declare clientId?: string

  @flags.boolean({ description: 'Read the secret from standard input instead of making one' })
  declare clientSecret: boolean

  @flags.string({ description: 'A known application, such as grafana; see docs/sign-in' })
  declare preset?: string

  @flags.string({ description: 'Where the application of the preset is' })
  declare url?: string

  async perform() {
    const { createClientValidator } = await import('#validators/clients')
    const { withPreset } = await import('#oidc/presets/registration')
    const { createClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const typed = {
      ...(await this.readSettings()),
      clientId: this.clientId,
      clientSecret: this.clientSecret ? await this.secret('Client secret') : undefined,
      preset: this.preset,
      url: this.url,
    }
    const { preset, settings } = await withPreset(await createClientValidator.validate(typed))
    const { client, clientSecret } = await createClient(settings, this.actor)
    const record = { ...toRecord(client), clientSecret }
    if (!preset) return this.printClient(record)
    const { settingsFor } = await import('#oidc/presets/settings_here')
    this.#printSettings(record, settingsFor(preset, client, clientSecret))
  }

  #printSettings(record: Parameters<typeof this.printClient>[0], settings: CopiedText[]) {
    if (this.json) return this.printJson({ ...record, settings })
    this.printClient(record)
    for (const { file, text, fields } of settings) {
      const lines = text ?? fields.map(({ label, value }) => `${label}: ${value}`).join('\n')
      process.stdout.write(`\n${file ? `# ${file}\n` : ''}${lines}\n`)
    }
  }
}
