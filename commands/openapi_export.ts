import { OperatorCommand } from './_operator_command.ts'

export default class OpenapiExport extends OperatorCommand {
  static commandName = 'openapi:export'
  static description = 'Print the OpenAPI description of the API'
  static help = ['Examples:', '  {{ binaryName }} openapi:export > openapi.json']

  async perform() {
    const { default: router } = await import('@adonisjs/core/services/router')
    router.commit()
    const { apiDocument } = await import('#openapi/document')
    this.printJson(await apiDocument())
  }
}
