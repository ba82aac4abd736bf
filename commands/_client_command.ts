import { OperatorCommand } from './_operator_command.ts'
import { CLIENT_FLAGS } from './_client_flags.ts'
import type { ClientRecord, ClientSettings } from '#oidc/clients/client'

export const CLIENT_COLUMNS = [
  { name: 'clientId', title: 'Client id', width: 24 },
  { name: 'name', title: 'Name', width: 24 },
  { name: 'kind', title: 'Kind', width: 11 },
  { name: 'tokenEndpointAuthMethod', title: 'Authentication', width: 19 },
]

export function printable(record: ClientRecord & { clientSecret?: string | null }) {
  const pairs = Object.entries(record).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(' ') : value,
  ])
  return Object.fromEntries(pairs)
}

/** The settings of a client, as `client:create` and `client:update` take them. */
export abstract class ClientSettingsCommand extends OperatorCommand {
  protected async readSettings() {
    const settings: Record<string, unknown> = {}
    for (const [field, { flag, read }] of Object.entries(CLIENT_FLAGS)) {
      const typed = Reflect.get(this, flag)
      if (typed !== undefined) settings[field] = await read(typed)
    }
    return settings
  }

  protected flagOf(field: string) {
    return super.flagOf(CLIENT_FLAGS[field as keyof ClientSettings]?.flag ?? field)
  }

  printClient(record: ClientRecord & { clientSecret?: string | null }) {
    this.printRecord(this.json ? { ...record } : printable(record))
    if (record.clientSecret) this.tell('Keep the secret now: it is not shown again.')
  }
}

for (const { flag, type, description } of Object.values(CLIENT_FLAGS)) {
  const shown = { description, showNegatedVariantInHelp: true }
  ClientSettingsCommand.defineFlag(flag, { type, ...shown, allowEmptyValue: true })
}
