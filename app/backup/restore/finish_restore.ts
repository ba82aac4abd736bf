import type { Actor } from '#audit/actor'
import { findChain, findChainAndLast, isGenuine } from '#audit/chain/chain_state'
import { FIRST_ID, sealLocked } from '#audit/chain/seal_batch'
import { verifyTrail, type TrailVerdict } from '#audit/chain/verification'
import { noteEmptiedStore } from '#auth/store/switched_store'
import { MAIL_QUEUE } from '#config/queue'
import { pauseOutbound } from '#backup/outbound_pause'
import { UnusableBackup } from '#backup/errors'
import { releaseAccount } from '#configuration/managed'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { hashHandle } from '#database/handle'
import { record } from '#events/record'
import { deleteWithin } from '#users/delete_user'
import type { BackupCounts } from '#backup/tally'
import type { Manifest } from '#backup/archive/manifest'
import type { Transaction } from '#database/transaction'

/* The steps that follow the rows of a backup, in the same transaction. */

export interface FinishedRestore {
  manifest: Manifest
  counts: BackupCounts
  actor: Actor
  keepsTrail: boolean
  expireKeys: boolean
  /** Users who were erased after the backup was made. */
  deleted: string[]
  onVerified: (events: number) => void
}

export async function finishRestore(
  trx: Transaction,
  restore: FinishedRestore
): Promise<TrailVerdict> {
  const { manifest, keepsTrail, onVerified: onProgress } = restore
  if (keepsTrail) await assertHead(manifest, trx)
  else await hashHandles(trx)
  await noteEmptiedStore(trx)
  await endClientDeletions(trx)
  await seal(trx)
  const erased = await eraseAgain(restore, trx)
  await recordRestore({ ...restore, erased }, trx)
  await seal(trx)
  await skipDeliveries(trx)
  await pauseOutbound(trx, { reason: `a backup of ${manifest.createdAt} was restored` })
  const expected = (keepsTrail && manifest.auditHead) || undefined
  return verifyTrail({ client: trx, expected, onProgress })
}

async function assertHead({ auditHead }: Manifest, trx: Transaction) {
  const state = await findChain(trx)
  if (state?.sequence === auditHead?.sequence && state?.hash === auditHead?.hash) return
  throw new UnusableBackup('The audit log of this backup does not end where its manifest says.')
}

/** A trail that was changed at its origin is not sealed here, and the verdict says so. */
async function seal(trx: Transaction) {
  const { state, last } = await findChainAndLast(trx)
  if (state ? !isGenuine(state) || last > state.sequence : last > 0) return
  let after: string | null = FIRST_ID
  while (after !== null) {
    const { next } = await sealLocked(after, trx)
    after = next
  }
}

/** Webhooks get the events from now on; `webhook:replay` sends earlier events. */
async function skipDeliveries(trx: Transaction) {
  const state = await findChain(trx)
  const cursor = { cut_sequence: state?.sequence ?? 0, cut_at: Date.now() }
  await trx.from('webhooks').whereNull('disabled_at').update(cursor)
}

/** Backups contain no sessions; a client that is registered again must not get the consents. */
async function endClientDeletions(trx: Transaction) {
  const deleted = trx.from('client_deletions').select('client_id')
  await trx.from('oauth_consents').whereIn('client_id', deleted).delete()
  await trx.from('client_deletions').delete()
  await deleteLostConsents(trx)
}

/** Backups of earlier versions do not say which clients were being deleted. */
async function deleteLostConsents(trx: Transaction) {
  const registered = trx.from('oauth_clients').select('client_id')
  const lost = trx.from('oauth_consents').whereNotIn('client_id', registered)
  await lost.whereNot('client_id', 'like', 'https://%').delete()
}

async function eraseAgain({ deleted, actor }: FinishedRestore, trx: Transaction) {
  let erased = 0
  for (const userId of deleted) {
    await releaseAccount(userId, trx)
    const user = await deleteWithin({ userId, actor }, trx).catch(absent)
    if (user) erased++
  }
  await forgetMails(trx)
  return erased
}

/** Erased users were told at their first erasure; no other mail waits here. */
async function forgetMails(trx: Transaction) {
  await trx.from('queue_jobs').where('queue', MAIL_QUEUE).delete()
  await trx.from('mails').delete()
}

/** Returns null for a user who was made after the backup. */
function absent(error: Error) {
  if (error instanceof E_NOT_FOUND) return null
  throw error
}

function recordRestore(
  { manifest, counts, actor, expireKeys, erased }: FinishedRestore & { erased: number },
  trx: Transaction
) {
  const { createdAt, version } = manifest
  const details = {
    createdAt,
    version,
    users: counts.users,
    ...(erased > 0 && { erased }),
    ...(expireKeys && ({ keysEnded: true } as const)),
  }
  return record(trx, { type: 'backup.restored', user: null, actor, details })
}

const BATCH_SIZE = 500

/** Hashes all handles anew, because the key of the audit log is another one here. */
async function hashHandles(trx: Transaction) {
  let after = FIRST_ID
  for (;;) {
    const users = await trx
      .from('users')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .select('id', 'handle')
    if (users.length === 0) return
    const rows = users.map(({ id, handle }) => ({ hash: hashHandle(handle), user_id: id }))
    await trx.table('handles').multiInsert(rows)
    after = users.at(-1)!.id
  }
}
