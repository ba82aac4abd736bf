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
    if (skew < MAX_SKEW_MS) return Result.ok(`within ${Math.round(skew)} ms of the database`)
    const remedy = 'Synchronise the clocks, such as with chrony.'
    const message = `${Math.round(skew / 1_000)} s away from the database`
    return Result.failed(message).setMetaData({ remedy })
  }
}

async function readDatabaseClock() {
  const sql =
    env.get('DB_CONNECTION') === 'pg'
      ? 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'
      : "SELECT unixepoch('subsec') * 1000 AS now"
  const [{ now }] = await selectRows<{ now: string }>(db.connection(), sql, [])
  return Number(now)
}
