import { flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { UsageError } from './_exit_codes.ts'
import type { ClientRecord } from '#oidc/clients/client'

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
  @flags.string({ description: 'What people see when they sign in' })
  declare name?: string

  @flags.string({ description: 'first_party, whose users are not asked, or third_party' })
  declare kind?: string

  @flags.array({ description: 'Where the code is sent; repeat it for several' })
  declare redirectUri?: string[]

  @flags.array({ description: 'Where a logout may lead; repeat it for several' })
  declare postLogoutRedirectUri?: string[]

  @flags.string({ description: 'Grant types, separated by commas' })
  declare grants?: string

  @flags.string({ description: 'Scopes, separated by commas' })
  declare scopes?: string

  @flags.string({ description: 'client_secret_basic, client_secret_post or none' })
  declare authMethod?: string

  @flags.string({ description: 'Where ended sessions are told' })
  declare backchannelLogoutUri?: string

  @flags.string({ description: 'Id of the service account of client_credentials' })
  declare serviceAccount?: string

  protected get given() {
    const settings = {
      name: this.name,
      kind: this.kind,
      redirectUris: this.redirectUri,
      postLogoutRedirectUris: this.postLogoutRedirectUri,
      grantTypes: this.grants?.split(','),
      scopes: this.scopes?.split(','),
      tokenEndpointAuthMethod: this.authMethod,
      backchannelLogoutUri: this.backchannelLogoutUri,
      serviceAccountId: this.serviceAccount,
    }
    const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
    if (entries.length === 0) throw new UsageError('Nothing is given. See --help.')
    return Object.fromEntries(entries)
  }

  printClient(record: ClientRecord & { clientSecret?: string | null }) {
    this.printRecord(this.json ? { ...record } : printable(record))
    if (record.clientSecret) this.tell('Keep the secret now: it is not shown again.')
  }
}
