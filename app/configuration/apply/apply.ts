import db from '@adonisjs/lucid/services/db'
import { lockName } from '#database/named_lock'
import { record } from '#events/record'
import { readConfiguration, type Configuration } from '#configuration/document/read_files'
import { listDeletedClients } from '#auth/tokens/deleted_clients'
import { errorAt } from '#configuration/document/entries'
import { InvalidConfiguration } from '#configuration/document/file_error'
import {
  deleteManagedRecord,
  listManagedRecords,
  writeManagedRecord,
  type ManagedKind,
  type ManagedRecord,
} from '#configuration/managed_rows'
import { finishDeletion } from '#oidc/clients/deletion/finish_deletion'
import { ownershipAfter, recordOf, release, type OwnershipChange } from './ownership.ts'
import { assertWithinLimits } from './limits.ts'
import { planAccounts } from './plan_accounts.ts'
import { planClients } from './plan_clients.ts'
import { planGroups } from './plan_groups.ts'
import { planWebhooks } from './plan_webhooks.ts'
import { planPruning, remove, type Pruned } from './prune.ts'
import { entriesOf, readSituation, type Situation } from './situation.ts'
import { isChange, nameOf, runStep, type Step } from './step.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface ApplyOptions {
  actor: Actor
  /** Whether only to report what would change. */
  isCheck?: boolean
  isPruning?: boolean
  isAtStart?: boolean
}

export interface ConfigurationChange {
  action: 'create' | 'change' | 'delete'
  kind: ManagedKind
  name: string
  /** Empty for a record that is deleted. */
  fields: string[]
  /** Null for a record that no file names any more. */
  file: string | null
}

export interface Applied {
  changes: ConfigurationChange[]
  /** How many records the files name. */
  managed: number
  /** How many records can be changed elsewhere from now on. */
  released: number
}

/** Applies all of the files, or nothing. @throws InvalidConfiguration */
export async function applyConfiguration(paths: string[], options: ApplyOptions) {
  const configuration = await readConfiguration(paths)
  if (options.isPruning) assertSources(configuration)
  if (!options.isCheck) await freeClientIds(configuration)
  const { applied, afterCommit } = await retryOnDeadlock(() =>
    db.transaction((trx) => applyWithin(configuration, options, trx))
  )
  for (const finish of afterCommit) await finish()
  return applied
}

function assertSources({ files }: Configuration) {
  const missing = files.filter(({ source }) => source === null)
  const message = '--prune needs a source in each file, such as source: staging'
  const errors = missing.map((file) => errorAt({ file, field: 'source' }, '', message))
  if (errors.length > 0) throw new InvalidConfiguration(errors)
}

/**
 * A client id is taken until its deletion has ended. A killed process may have left the deletion to
 * a job, and no job runs before a start has applied the files.
 */
async function freeClientIds(configuration: Configuration) {
  const deleted = new Set(await listDeletedClients())
  for (const { value } of entriesOf(configuration, 'clients')) {
    if (deleted.has(value.clientId)) await finishDeletion(value.clientId)
  }
}

/** Repeats work that a deadlock ended: another change may lock the same rows in another order. */
async function retryOnDeadlock<Result>(work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error: any) {
    if (error.code !== '40P01') throw error
    return work()
  }
}

async function applyWithin(
  { files, entries }: Configuration,
  { actor, isCheck = false, isPruning = false, isAtStart = false }: ApplyOptions,
  trx: Transaction
) {
  // Processes that start together apply one after the other, and the second finds nothing to do.
  await lockName('configuration', trx)
  const situation = await readSituation(entries, actor, trx)
  const steps = await planAll(situation)
  const records = await listManagedRecords(trx)
  const ownership = ownershipAfter({ steps, files, records, isAtStart })
  const pruning = { steps, files, records, isCheck }
  const pruned = isPruning ? await planPruning(pruning, situation) : []
  const changes = [...steps.filter(isChange).map(changeOf), ...pruned.map(deletionOf)]
  const { released, written } = ownership
  const applied: Applied = { changes, managed: steps.length, released: released.length }
  const isNothing = changes.length + released.length + written.length === 0
  if (!isCheck && !isNothing) {
    await run({ steps, pruned, records, ownership, isAtStart }, trx)
    await recordApplied(applied, { files, actor }, trx)
  }
  return { applied, afterCommit: situation.afterCommit }
}

async function planAll(situation: Situation) {
  const [groups, clients] = [planGroups(situation), planClients(situation)]
  const webhooks = planWebhooks(situation)
  const steps = [...groups, ...(await planAccounts(situation)), ...clients, ...webhooks]
  await assertWithinLimits(steps, situation)
  if (situation.errors.length > 0) throw new InvalidConfiguration(situation.errors)
  return steps
}

function changeOf({ entry, kind, id, fields }: Step): ConfigurationChange {
  const action = id === null ? 'create' : 'change'
  return { action, kind, name: nameOf(entry), fields, file: entry.file.name }
}

function deletionOf({ record: { kind }, name }: Pruned): ConfigurationChange {
  return { action: 'delete', kind, name, fields: [], file: null }
}

interface Work {
  steps: Step[]
  pruned: Pruned[]
  records: ManagedRecord[]
  ownership: OwnershipChange
  isAtStart: boolean
}

/** No file names the records while they change: E_MANAGED would refuse the changes. */
async function run({ steps, pruned, records, ownership, isAtStart }: Work, trx: Transaction) {
  const freed = new Set(steps.some(isRename) ? steps : steps.filter(isChange))
  for (const { kind, id } of freed) if (id !== null) await deleteManagedRecord({ kind, id }, trx)
  for (const each of ownership.released) await release(each, trx)
  const before = new Map(records.map((each) => [each.id, each]))
  const written = new Map(ownership.written.map((each) => [each.id, each]))
  for (const step of freed) {
    const id = isChange(step) ? await runStep(step, trx) : step.id!
    written.set(id, recordOf(step, id, { before: before.get(id), isAtStart }))
  }
  for (const each of written.values()) await writeManagedRecord(each, trx)
  // Removals come last, so that E_MANAGED refuses to remove what a file names.
  for (const each of pruned) await remove(each, trx)
}

/** Other entries may name the group. */
function isRename({ kind, id, fields }: Step) {
  return kind === 'group' && id !== null && fields.includes('name')
}

async function recordApplied(
  { changes, managed, released }: Applied,
  { files, actor }: Pick<Configuration, 'files'> & { actor: Actor },
  trx: Transaction
) {
  const names = files.map(({ name }) => name).join(' ')
  const details = { files: names, changed: changes.length, managed, released }
  await record(trx, { type: 'configuration.applied', user: null, actor, details })
}
