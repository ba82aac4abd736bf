import User from '#models/user'
import { groupKey } from '#groups/group_name'
import { findGroupsByName, lockGroups } from '#groups/group_rows'
import { toClients } from '#oidc/clients/client_rows'
import { listKnownIds, listManagedFields } from '#configuration/managed_rows'
import { listAccountsOfManagedClients } from '#configuration/managed_uses'
import type { Actor } from '#audit/actor'
import type { Group } from '#groups/group'
import type { OAuthClient } from '#oidc/clients/client'
import type { WebhookRow } from '#webhooks/webhook'
import type { Transaction } from '#database/transaction'
import type { Entry } from '#configuration/document/entries'
import type { FileError } from '#configuration/document/file_error'
import type { ListName } from '#configuration/document/lists'

/* The stored records that the files name. They are read and locked before anything is planned. */

export interface Situation {
  trx: Transaction
  actor: Actor
  entries: Entry[]
  errors: FileError[]
  /** By key. */
  groups: Map<string, Group>
  /** By username, which several accounts may have. */
  accounts: Map<string, User[]>
  /** By client id. */
  clients: Map<string, OAuthClient>
  /** By name. */
  webhooks: Map<string, WebhookRow>
  /** The fields of clients and webhooks that a file already names, by id. */
  managedFields: Map<string, string[]>
  /** Ids of clients that a file names or once named. */
  knownClients: Set<string>
  /** Ids of the accounts that these files made, by username. */
  madeAccounts: Map<string, string>
  afterCommit: (() => Promise<unknown>)[]
}

export function entriesOf<Name extends ListName>(
  { entries }: Pick<Situation, 'entries'>,
  list: Name
) {
  return entries.filter((entry): entry is Entry<Name> => entry.list === list)
}

/** Locks users first, then groups, then clients: another order could deadlock. */
export async function readSituation(
  entries: Entry[],
  actor: Actor,
  trx: Transaction
): Promise<Situation> {
  const empty = { groups: new Map(), accounts: new Map(), clients: new Map(), webhooks: new Map() }
  const work = { errors: [], madeAccounts: new Map(), afterCommit: [] }
  const managedFields = await listManagedFields(['client', 'webhook'], trx)
  const knownClients = await listKnownIds('client', trx)
  const managed = { managedFields, knownClients }
  const situation: Situation = { trx, actor, entries, ...managed, ...empty, ...work }
  await readAccounts(situation)
  await readGroups(situation)
  await readClients(situation)
  await readWebhooks(situation)
  return situation
}

/** Databases limit the number of values in one statement. */
const CHUNK_SIZE = 500

async function inChunks<Row>(values: string[], read: (chunk: string[]) => Promise<Row[]>) {
  const [unique, rows]: [string[], Row[]] = [[...new Set(values)], []]
  for (let at = 0; at < unique.length; at += CHUNK_SIZE)
    rows.push(...(await read(unique.slice(at, at + CHUNK_SIZE))))
  return rows
}

async function readAccounts(situation: Situation) {
  const { trx, accounts } = situation
  const ofClients = entriesOf(situation, 'clients').flatMap(
    ({ value }) => value.serviceAccount ?? []
  )
  const own = entriesOf(situation, 'serviceAccounts').map(({ value }) => value.username)
  const users = await inChunks([...own, ...ofClients], async (names) =>
    User.query({ client: trx })
      .where('kind', 'service')
      .whereIn('username', names)
      .orderBy('id')
      .forUpdate()
  )
  for (const user of users)
    accounts.set(user.username, [...(accounts.get(user.username) ?? []), user])
  await readMeant(situation)
}

/** Chooses among accounts of one username: the account of a file, or else of a file's client. */
async function readMeant({ trx, accounts }: Situation) {
  const unclear = [...accounts].filter(([, users]) => users.length > 1)
  if (unclear.length === 0) return
  const managed = await listManagedFields(['service_account'], trx)
  const ofClients = await listAccountsOfManagedClients(trx)
  for (const [username, users] of unclear) {
    const meant = onlyOne(users, managed) ?? onlyOne(users, ofClients)
    if (meant) accounts.set(username, [meant])
  }
}

function onlyOne(users: User[], ids: Pick<Set<string>, 'has'>) {
  const [one, ...more] = users.filter(({ id }) => ids.has(id))
  return more.length === 0 ? one : undefined
}

async function readGroups(situation: Situation) {
  const { trx, groups } = situation
  const own = entriesOf(situation, 'groups').map(({ value }) => value.name)
  const allowed = entriesOf(situation, 'clients').flatMap(({ value }) => value.allowedGroups ?? [])
  const joined = entriesOf(situation, 'serviceAccounts').flatMap(({ value }) => value.groups ?? [])
  const found = await findGroupsByName([...own, ...allowed, ...joined], trx)
  const ids = found.map(({ id }) => id).toSorted()
  for (const group of await inChunks(ids, (chunk) => lockGroups(chunk, trx)))
    groups.set(groupKey(group.name), group)
}

async function readClients(situation: Situation) {
  const { trx, clients } = situation
  const ids = entriesOf(situation, 'clients').map(({ value }) => value.clientId)
  const rows = await inChunks(ids, async (chunk) =>
    trx.from('oauth_clients').whereIn('client_id', chunk).orderBy('id').forUpdate()
  )
  for (const client of await toClients(rows, trx)) clients.set(client.clientId, client)
}

async function readWebhooks(situation: Situation) {
  const { trx, webhooks } = situation
  const names = entriesOf(situation, 'webhooks').map(({ value }) => value.name)
  const rows = await inChunks<WebhookRow>(names, async (chunk) =>
    trx.from('webhooks').whereIn('name', chunk).orderBy('id').forUpdate()
  )
  for (const row of rows) webhooks.set(row.name, row)
}

/** Returns whether the group is stored, or made by the same files. */
export function hasGroup(situation: Situation, name: string) {
  const key = groupKey(name)
  const isMade = () =>
    entriesOf(situation, 'groups').some(({ value }) => groupKey(value.name) === key)
  return situation.groups.has(key) || isMade()
}
