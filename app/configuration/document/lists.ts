import { groupKey } from '#groups/group_name'
import { FIELD_NAMES } from '#oidc/clients/client_fields'
import {
  accountEntryValidator,
  clientEntryValidator,
  groupEntryValidator,
  webhookEntryValidator,
} from '#validators/configuration'
import type { Infer } from '@vinejs/vine/types'
import type { ManagedKind } from '#configuration/managed_rows'

/* The lists of a file. Their entries have the fields of the API. */

export type GroupValue = Infer<typeof groupEntryValidator>
export type ClientValue = Infer<typeof clientEntryValidator> & { secret?: string }
export type AccountValue = Infer<typeof accountEntryValidator>
export type WebhookValue = Infer<typeof webhookEntryValidator> & { secret?: string }

export interface Values {
  groups: GroupValue
  clients: ClientValue
  webhooks: WebhookValue
  serviceAccounts: AccountValue
}

export type ListName = keyof Values

interface List<Value> {
  kind: ManagedKind
  /** The name of an entry in messages. */
  noun: string
  fields: string[]
  /** The field of the API that `secretFrom` gives. */
  secret: string | null
  validate(value: unknown): Promise<Value>
  nameOf(value: Value): string
  /** Two entries with the same key are the same record. */
  keyOf(value: Value): string
}

const CLIENT_FIELDS = FIELD_NAMES.map((name) =>
  name === 'serviceAccountId' ? 'serviceAccount' : name
)

export const LISTS: { [Name in ListName]: List<Values[Name]> } = {
  groups: {
    kind: 'group',
    noun: 'group',
    fields: ['name', 'title', 'description'],
    secret: null,
    validate: (value) => groupEntryValidator.validate(value),
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => groupKey(name),
  },
  clients: {
    kind: 'client',
    noun: 'client',
    fields: ['clientId', ...CLIENT_FIELDS],
    secret: 'clientSecret',
    validate: (value) => clientEntryValidator.validate(value),
    nameOf: ({ clientId }) => clientId,
    keyOf: ({ clientId }) => clientId,
  },
  webhooks: {
    kind: 'webhook',
    noun: 'webhook',
    fields: ['name', 'url', 'events', 'description', 'enabled'],
    secret: 'secret',
    validate: (value) => webhookEntryValidator.validate(value),
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => name,
  },
  serviceAccounts: {
    kind: 'service_account',
    noun: 'service account',
    fields: ['username', 'role', 'groups'],
    secret: null,
    validate: (value) => accountEntryValidator.validate(value),
    nameOf: ({ username }) => username,
    keyOf: ({ username }) => username,
  },
}

export const LIST_NAMES = Object.keys(LISTS) as ListName[]
