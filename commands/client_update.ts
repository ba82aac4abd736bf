import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import { unreadableFile, UsageError } from './_exit_codes.ts'
import { ClientSettingsCommand } from './_client_command.ts'

export default class ClientUpdate extends ClientSettingsCommand {
  static commandName = 'client:update'
  static description = 'Change the given settings of an application'
  static help = [
    'A list replaces the earlier one.',
    '',
    'Examples:',
    '  {{ binaryName }} client:update 5f0c2a9d41be7730c8e1d6f2 \\',
    '    --redirect-uri=https://a.example.org/cb --redirect-uri=https://b.example.org/cb',
  ]

  @args.string({ description: 'Client id' })
  declare client: string

  @flags.string({
    description: 'File with its logo, of at most 1 MB; --logo= removes it',
    allowEmptyValue: true,
  })
  declare logo?: string

  async perform() {
    const { updateClientValidator } = await import('#validators/clients')
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { updateClient } = await import('#oidc/clients/clients')
    const { toRecord } = await import('#oidc/clients/client')
    const settings = await this.readSettings()
    const isEmpty = Object.keys(settings).length === 0 && this.logo === undefined
    if (isEmpty) throw new UsageError('Nothing is given. See --help.')
    const changes = await updateClientValidator.validate(settings)
    const logo = await this.#readLogo()
    const { id } = await getClientByNameOrFail(this.client)
    const updated = await updateClient(id, changes, this.actor)
    this.printClient(toRecord(logo === undefined ? updated : await this.#setLogo(id, logo)))
  }

  /** Returns null if the logo is to be removed. */
  async #readLogo() {
    if (!this.logo) return this.logo === undefined ? undefined : null
    const { default: limits } = await import('#config/limits')
    const file = await readFile(this.path(this.logo)).catch((error) => {
      throw new UsageError(`--logo: ${this.logo} ${unreadableFile(error)}`)
    })
    if (file.length <= limits.clientLogoBytes) return file
    throw new UsageError(`${this.logo} is larger than 1 MB.`)
  }

  async #setLogo(id: string, file: Buffer | null) {
    const { changeLogo, removeLogo } = await import('#oidc/clients/logo')
    return file ? changeLogo(id, file, this.actor) : removeLogo(id, this.actor)
  }
}
