import { args, flags } from '@adonisjs/core/ace'
import { EXIT, unwritableFile, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Imported } from '#configuration/import/imported'

/** The export of a realm with many users is larger: its clients can be exported without them. */
const MAX_BYTES = 67_108_864

export default class ClientImport extends OperatorCommand {
  static commandName = 'client:import'
  static description = 'Write the applications of another product as a file for config:apply'
  static help = [
    'Nothing is changed here. Secrets are in separate files beside the output, which only',
    'the owner can read. What cannot be taken is a line with a # in the output.',
    '',
    'Examples:',
    '  {{ binaryName }} client:import realm.json --from=keycloak --output=clients.yaml',
    '  {{ binaryName }} client:import configuration.yml --from=authelia --output=clients.yaml',
  ]

  @args.string({ description: 'Export of a realm, or configuration of Authelia' })
  declare file: string

  @flags.string({ description: 'keycloak or authelia' })
  declare from: string

  @flags.string({ description: 'The file to write, which must not be there yet' })
  declare output: string

  @flags.boolean({ description: 'End with 1 where something could not be taken' })
  declare strict: boolean

  async perform() {
    if (!this.from || !this.output) throw new UsageError('Give --from and --output. See --help.')
    const imported = await this.#read()
    const { writeImported } = await import('#configuration/import/write_files')
    const written = await writeImported(imported, this.path(this.output)).catch(this.#explain)
    const { groups, serviceAccounts, clients } = imported
    const taken = <Entry extends { isLeftOut?: boolean }>(entries: Entry[]) =>
      entries.filter(({ isLeftOut }) => !isLeftOut).length
    this.printRecord({
      clients: taken(clients),
      serviceAccounts: serviceAccounts.length,
      groups: taken(groups),
      ...written,
    })
    this.tell(`Written to ${this.output}. Nothing was changed here.`)
    if (written.notTaken === 0) return
    this.tell(`${written.notTaken} could not be taken: see the lines with a #.`)
    if (this.strict) this.exitCode = EXIT.failed
  }

  async #read(): Promise<Imported> {
    const { readText, UnreadableText } = await import('#configuration/document/read_text')
    const { UnknownExport } = await import('#configuration/import/imported')
    const convert = await this.#conversion()
    try {
      return await convert(await readText(this.path(this.file), MAX_BYTES))
    } catch (error) {
      if (!(error instanceof UnreadableText || error instanceof UnknownExport)) throw error
      throw new UsageError(`${this.file} ${error.message}.`)
    }
  }

  async #conversion() {
    if (this.from === 'keycloak') {
      const { fromKeycloak } = await import('#configuration/import/keycloak')
      return fromKeycloak
    }
    const { fromAuthelia } = await import('#configuration/import/authelia')
    if (this.from === 'authelia') return fromAuthelia
    throw new UsageError('--from must be one of keycloak, authelia.')
  }

  #explain = (error: any): never => {
    if (error.code === 'EEXIST')
      throw new UsageError(`${error.path} is there already: remove it, or name another --output.`)
    throw error.code && error.path
      ? new UsageError(`--output: ${error.path} ${unwritableFile(error)}`)
      : error
  }
}
