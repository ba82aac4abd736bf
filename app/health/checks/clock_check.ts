import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'

/** Expiry times are written by one clock and read by another, so the two have to agree. */
const MAX_SKEW_MS = 2_000

export class ClockCheck extends BaseCheck {
  name = 'clock'

  async run() {
    const databaseTime = await readDatabaseClock()
    const skew = Math.abs(Date.now() - databaseTime)
    if (skew >= MAX_SKEW_MS) return wrong(`${seconds(skew)} away from the database`)
    const ahead = (await findNewestEvent()) - Date.now()
    if (ahead >= MAX_SKEW_MS)
      return wrong(`${seconds(ahead)} behind the newest event of the audit log`)
    return Result.ok(`within ${Math.round(skew)} ms of the database`)
  }
}

function wrong(message: string) {
  const remedy = 'Synchronise the clocks, such as with chrony.'
  return Result.failed(message).setMetaData({ remedy })
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`

/** In a file the database has the clock of this machine: only what was written shows its leaps. */
async function findNewestEvent() {
  const sealed = db.from('audit_events').whereNotNull('sequence').orderBy('sequence', 'desc')
  const newest = await sealed.select('occurred_at').first()
  return Number(newest?.occurred_at ?? 0)
}

async function readDatabaseClock() {
  const sql =
    env.get('DB_CONNECTION') === 'pg'
      ? 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'
      : "SELECT unixepoch('subsec') * 1000 AS now"
  const [{ now }] = await selectRows<{ now: string }>(db.connection(), sql, [])
  return Number(now)
}
