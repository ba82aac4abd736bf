import { args } from '@adonisjs/core/ace'
import { printable } from './_client_command.ts'
import { OperatorCommand } from './_operator_command.ts'
import { formatValue } from './_table.ts'
import { TERMINAL_WIDTH, wrapText } from './_wrap.ts'
import type { RefusalRecord } from '#oidc/refusals/list_refusals'

export default class ClientShow extends OperatorCommand {
  static commandName = 'client:show'
  static description = 'Show the settings of an application, and what it was refused'
  static help = [
    'Examples:',
    '  {{ binaryName }} client:show 5f0c2a9d41be7730c8e1d6f2',
    '  {{ binaryName }} client:show 5f0c2a9d41be7730c8e1d6f2 --json',
  ]

  @args.string({ description: 'Client id' })
  declare client: string

  async perform() {
    const { getClientByNameOrFail } = await import('#oidc/clients/client_rows')
    const { toRecord } = await import('#oidc/clients/client')
    const { refusalRecords } = await import('#oidc/refusals/list_refusals')
    const client = await getClientByNameOrFail(this.client)
    const [record, refusals] = [toRecord(client), await refusalRecords(client)]
    if (this.json) return this.printRecord({ ...record, refusals })
    this.printRecord(printable(record))
    if (refusals.length > 0) this.#printRefusals(refusals)
  }

  /** Prints a line for each refusal, with its remedy below, in 80 columns. */
  #printRefusals(refusals: RefusalRecord[]) {
    process.stdout.write('\nRefused in the last 24 hours\n')
    for (const { reason, sent, count, lastAt, remedy, setting } of refusals) {
      const about = [`${lastAt} ${reason} (${count})`, sent && formatValue(sent)]
      const help = setting ? `${remedy} (${setting})` : remedy
      const lines = [...about, help].filter((text) => text !== null)
      for (const [at, text] of lines.entries()) process.stdout.write(indented(text, at > 0))
    }
  }
}

function indented(text: string, isFurther: boolean) {
  const indents = { first: isFurther ? '  ' : '', rest: '  ' }
  return `${wrapText(text, TERMINAL_WIDTH, indents).join('\n')}\n`
}
