import User from '#models/user'
import { InvalidConfiguration } from '#configuration/document/file_error'
import { Refusal } from '#exceptions/refusal'
import { finishDeletion } from '#groups/finish_deletions'
import { deleteGroupWithin } from '#groups/groups'
import { findGroup } from '#groups/group_rows'
import { finishDeletions } from '#maintenance/finish_deletions'
import { lockClient } from '#oidc/clients/client_rows'
import { deleteWithin as deleteClientWithin } from '#oidc/clients/client_changes'
import { continueDeletion } from '#oidc/clients/deletion/begin_deletion'
import { deleteWithin as deleteUserWithin } from '#users/delete_user'
import {
  deleteManagedRecord,
  type ManagedKind,
  type ManagedRecord,
} from '#configuration/managed_rows'
import { deleteDeliveries } from '#webhooks/deliveries/delete_deliveries'
import { deleteWebhookWithin } from '#webhooks/endpoints'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { isOfFiles, keyText } from './ownership.ts'
import { removalError, pruningErrors } from './pruning_errors.ts'
import type { Transaction } from '#database/transaction'
import type { SourceFile } from '#configuration/document/entries'
import type { FileError } from '#configuration/document/file_error'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

/* `--prune` removes records that a source made and that its files no longer name. */

export interface Pruned {
  record: ManagedRecord
  name: string
  run: () => Promise<void>
}

interface Pruning {
  steps: Step[]
  files: SourceFile[]
  records: ManagedRecord[]
  /** Whether nothing is written. */
  isCheck: boolean
}

/** Records that others need are removed last. */
const ORDER: ManagedKind[] = ['client', 'webhook', 'service_account', 'group']

/** @throws InvalidConfiguration for records that a file still needs */
export async function planPruning(
  { steps, files, records, isCheck }: Pruning,
  situation: Situation
): Promise<Pruned[]> {
  const named = new Set(steps.map(({ kind, id }) => keyText({ kind, id: id ?? '' })))
  const sources = new Set(files.map(({ source }) => source))
  const unnamed = records.filter(
    (record) =>
      sources.has(record.madeBy) &&
      record.madeBy !== null &&
      !named.has(keyText(record)) &&
      (record.file === null || isOfFiles(record, files))
  )
  const inOrder = unnamed.toSorted((one, other) => order(one) - order(other))
  const [pruned, errors]: [Pruned[], FileError[]] = [[], []]
  for (const record of inOrder) {
    const found = await FIND[record.kind](record.id, situation)
    if (found) pruned.push({ record, ...found })
    else if (!isCheck) await deleteManagedRecord(record, situation.trx)
  }
  for (const { record, name } of pruned)
    errors.push(...(await pruningErrors({ ...record, name }, files, situation)))
  if (errors.length > 0) throw new InvalidConfiguration(errors)
  return pruned
}

function order({ kind }: ManagedRecord) {
  return ORDER.indexOf(kind)
}

/** @throws InvalidConfiguration for a record that may not be removed */
export async function remove({ record, name, run }: Pruned, trx: Transaction) {
  await deleteManagedRecord(record, trx)
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    throw new InvalidConfiguration([removalError(record.kind, name, error.message)])
  }
}

type Find = (
  id: string,
  situation: Situation
) => Promise<{ name: string; run: () => Promise<void> } | null>

const FIND: Record<ManagedKind, Find> = {
  group: async (id, { actor, trx, afterCommit }) => {
    const group = await findGroup(id, trx)
    if (!group) return null
    const run = async () => {
      const deleted = await deleteGroupWithin({ id, actor }, trx)
      afterCommit.push(() => finishDeletion(deleted))
    }
    return { name: group.name, run }
  },
  client: async (id, { actor, trx, afterCommit }) => {
    const client = await lockClient(id, trx)
    if (!client) return null
    const run = async () => {
      await deleteClientWithin(client, actor, trx)
      afterCommit.push(() => continueDeletion(client.clientId))
    }
    return { name: client.clientId, run }
  },
  service_account: async (id, { actor, trx, afterCommit }) => {
    const user = await User.find(id, { client: trx })
    if (!user) return null
    const run = async () => {
      await deleteUserWithin({ userId: id, actor }, trx)
      afterCommit.push(() => finishDeletions())
    }
    return { name: user.username, run }
  },
  webhook: async (id, { actor, trx, afterCommit }) => {
    const row = await findWebhookRow(id, trx)
    if (!row) return null
    const run = async () => {
      await deleteWebhookWithin(id, actor, trx)
      afterCommit.push(() => deleteDeliveries(id))
    }
    return { name: row.name, run }
  },
}
