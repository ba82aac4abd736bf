import { existsSync } from 'node:fs'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/backup'
import { sqliteFile } from '#config/database'
import { databaseNow } from '#database/clock'
import { selectRows } from '#database/select_rows'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

const TABLE = 'backup_state'

export interface BackupState {
  firstMadeAt: number | null
  madeAt: number | null
  verifiedAt: number | null
  failedAt: number | null
  failure: string | null
}

type Row = Record<string, string | number | null>

/** Returns the state of the backups that `BACKUP_EVERY` makes. */
export async function findBackupState(): Promise<BackupState> {
  const row: Row = (await db.connection().getWriteClient()(TABLE).first()) ?? {}
  const time = (name: string) => (row[name] ? Number(row[name]) : null)
  return {
    firstMadeAt: time('first_made_at'),
    madeAt: time('made_at'),
    verifiedAt: time('verified_at'),
    failedAt: time('failed_at'),
    failure: row.failure ? String(row.failure) : null,
  }
}

export function hasFailedLast({ madeAt, failedAt }: BackupState) {
  return failedAt !== null && failedAt >= (madeAt ?? 0)
}

/** One statement decides which of many processes makes the backup that is due. */
export async function claimRun(runId: string, everyMs: number) {
  const client = db.connection()
  const now = databaseNow(client)
  await insertState(client)
  const claimed = await selectRows(
    client,
    `UPDATE ${TABLE} SET run_id = :runId, run_until = ${now} + ${settings.leaseMs}
     WHERE (run_until IS NULL OR run_until < ${now})
       AND (made_at IS NULL OR made_at <= ${now} - :everyMs)
       AND (failed_at IS NULL OR failed_at < COALESCE(made_at, 0)
         OR failed_at <= ${now} - ${settings.retryMs})
     RETURNING 1`,
    { runId, everyMs }
  )
  return claimed.length > 0
}

async function insertState(client: QueryClientContract) {
  await client.rawQuery(`INSERT INTO ${TABLE} (id) VALUES (1) ON CONFLICT (id) DO NOTHING`)
}

/** @returns false if another process has taken over */
export async function renewRun(runId: string) {
  const client = db.connection()
  const sql = `UPDATE ${TABLE} SET run_until = ${databaseNow(client)} + ${settings.leaseMs}
    WHERE run_id = ? RETURNING 1`
  const renewed = await selectRows(client, sql, [runId])
  return renewed.length > 0
}

/** @param startedAt the time of the data in the backup */
export async function endRun(trx: Transaction, runId: string, startedAt: number) {
  const changes = { run_id: null, run_until: null, made_at: startedAt, failure: null }
  const ended = await trx.from(TABLE).where('run_id', runId).update(changes)
  if (Number(ended) === 0) return false
  await trx.from(TABLE).whereNull('first_made_at').update({ first_made_at: startedAt })
  return true
}

export async function releaseRun(runId: string) {
  const changes = { run_id: null, run_until: null }
  await db.from(TABLE).where('run_id', runId).update(changes)
}

export async function failRun(trx: Transaction, runId: string, failure: string) {
  const failed = { failed_at: Date.now(), failure: failure.slice(0, 300) }
  const changes = { run_id: null, run_until: null, ...failed }
  await trx.from(TABLE).where('run_id', runId).update(changes)
}

/** @returns whether a mail about the failure is due, at most one a day */
export async function claimMail(trx: Transaction, now = Date.now()) {
  const claimed = await trx
    .from(TABLE)
    .where((mail) => mail.whereNull('mailed_at').orWhere('mailed_at', '<=', now - settings.mailMs))
    .update({ mailed_at: now })
  return Number(claimed) > 0
}

export async function noteVerified(now = Date.now()) {
  await insertState(db.connection())
  await db.from(TABLE).update({ verified_at: now })
}

/** Notes that `backup:verify` opened a backup, but never creates a missing SQLite file. */
export async function noteVerifiedHere() {
  if (db.connection().dialect.name === 'postgres' || existsSync(sqliteFile)) await noteVerified()
}
