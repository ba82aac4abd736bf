import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class OpenapiExport extends OperatorCommand {
  static commandName = 'openapi:export'
  static description = 'Print the OpenAPI description of the API'
  static help = [
    'Examples:',
    '  {{ binaryName }} openapi:export > openapi.json',
    '  {{ binaryName }} openapi:export --openapi=3.1 > openapi.json',
  ]

  @flags.string({ description: 'Version of OpenAPI: 3.0 or 3.1; 3.0 unless given' })
  declare openapi?: string

  async perform() {
    const { default: router } = await import('@adonisjs/core/services/router')
    router.commit()
    const { apiDocumentOf, isOpenApiVersion } = await import('#openapi/document')
    const version = this.openapi ?? '3.0'
    if (!isOpenApiVersion(version)) throw new UsageError('--openapi must be 3.0 or 3.1')
    this.printJson(await apiDocumentOf(version))
  }
}
