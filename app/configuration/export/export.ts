import db from '@adonisjs/lucid/services/db'
import { isProviderName } from '#groups/group_name'
import { readNames } from '#groups/names_of'
import { hasSecret, type ClientSettings, type OAuthClient } from '#oidc/clients/client'
import { FIELD_NAMES, isSameValue, withDefaults, type FieldName } from '#oidc/clients/client_fields'
import { listWebhooks } from '#webhooks/webhook_rows'
import { readClients } from '#oidc/clients/client_rows'

/* The stored records, in the form of files that can be applied. */

export interface ExportedEntry {
  fields: Record<string, unknown>
  /** A comment below the entry, which is not a field. */
  comment?: string
  /** Whether the whole entry is a comment. */
  isLeftOut?: boolean
}

export type ExportedLists = Record<string, ExportedEntry[]>

export async function exportConfiguration(): Promise<ExportedLists> {
  const accounts = await readAccounts()
  return {
    groups: await exportGroups(),
    clients: await exportClients(accounts),
    webhooks: await exportWebhooks(),
    serviceAccounts: await exportAccounts(accounts),
  }
}

interface Account {
  id: string
  username: string
  role: string
  group_ids: string | null
}

async function readAccounts(): Promise<Account[]> {
  const rows = db.from('users').where('kind', 'service').orderBy('username').orderBy('id')
  return rows.select('id', 'username', 'role', 'group_ids')
}

/** Leaves out groups of providers, which get their members from the provider. */
async function exportGroups(): Promise<ExportedEntry[]> {
  const rows = await db.from('groups').orderBy('name_key').select('name', 'title', 'description')
  const own = rows.filter(({ name }) => !isProviderName(name))
  return own.map((fields) => ({ fields: withoutNull(fields) }))
}

function withoutNull(fields: object) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

async function exportClients(accounts: Account[]): Promise<ExportedEntry[]> {
  const names = new Map(accounts.map(({ id, username }) => [id, username]))
  const clear = new Set(unique(accounts).map(({ id }) => id))
  const clients = await readClients()
  return clients.map((client) => exportClient(client, { names, clear }))
}

interface Accounts {
  names: Map<string, string>
  /** Ids of accounts whose username is unique. */
  clear: Set<string>
}

/** Leaves out accounts with the same username, because they cannot be told apart. */
function unique(accounts: Account[]) {
  const total = new Map<string, number>()
  for (const { username } of accounts) total.set(username, (total.get(username) ?? 0) + 1)
  return accounts.filter(({ username }) => total.get(username) === 1)
}

/** Fields that are written even if they have the default, which may differ elsewhere. */
const ALWAYS: FieldName[] = [
  'name',
  'kind',
  'redirectUris',
  'grantTypes',
  'scopes',
  'tokenEndpointAuthMethod',
  'access',
]

function exportClient(client: OAuthClient, { names, clear }: Accounts): ExportedEntry {
  const { clientId, serviceAccountId: account } = client
  const { serviceAccountId, ...settings } = settingsOf(client)
  const fields: Record<string, unknown> = { clientId, ...settings }
  const comments = hasSecret(client) ? [placeholder(clientId, 'secretFrom')] : []
  if (account && clear.has(account)) fields.serviceAccount = names.get(account)
  else if (account)
    comments.push(`serviceAccount: ${names.get(account)} (several have this username: rename them)`)
  return comments.length > 0 ? { fields, comment: comments.join('\n') } : { fields }
}

function settingsOf(client: OAuthClient) {
  const given = Object.fromEntries(ALWAYS.map((name) => [name, client[name]]))
  const { requirePar, requireDpop } = client
  const defaults = withDefaults({ name: '', requirePar, requireDpop, ...given } as ClientSettings)
  const names = FIELD_NAMES.filter(
    (name) => ALWAYS.includes(name) || !isSameValue(client[name], defaults[name])
  )
  return Object.fromEntries(names.map((name) => [name, client[name]])) as Partial<ClientSettings>
}

/** A secret beside its client would make the whole file a secret. */
function placeholder(name: string, field: string) {
  const variable = `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_SECRET`
  const own = /^\d/.test(variable) ? `CLIENT_${variable}` : variable
  return `${field}: env:${own}   (not exported: set it and remove the #)`
}

async function exportWebhooks(): Promise<ExportedEntry[]> {
  const webhooks = await listWebhooks()
  return webhooks.map(({ name, url, events, description, enabled }) => ({
    fields: withoutNull({ name, url, events, description, enabled: enabled ? null : enabled }),
    comment: placeholder(name, 'secretFrom'),
  }))
}

async function exportAccounts(accounts: Account[]): Promise<ExportedEntry[]> {
  const ids = [...new Set(accounts.flatMap(({ group_ids: list }) => list?.split(' ') ?? []))]
  const names = await readNames(ids)
  return unique(accounts).map(({ username, role, group_ids: list }) => {
    const groups = (list?.split(' ') ?? []).flatMap((id) => names.get(id) ?? []).toSorted()
    return { fields: { username, role, ...(groups.length > 0 && { groups }) } }
  })
}
