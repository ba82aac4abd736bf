import { BaseCheck } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'

/** Expiry times are written by one clock and read by another, so the two have to agree. */
const MAX_SKEW_MS = 2_000

export class ClockCheck extends BaseCheck {
  name = 'clock'

  async run() {
    const databaseTime = await readDatabaseClock()
    const skew = Math.abs(Date.now() - databaseTime)
    if (skew >= MAX_SKEW_MS) {
      return failed(sentence('clock.skew', seconds(skew)), sentence('clock.skew_remedy'))
    }
    const ahead = (await findLatestEvent()) - Date.now()
    if (ahead >= MAX_SKEW_MS) {
      return failed(sentence('clock.behind', seconds(ahead)), sentence('clock.behind_remedy'))
    }
    return passed(isPostgres() ? sentence('clock.good', { ms: Math.round(skew) }) : ownTime())
  }
}

const seconds = (ms: number) => ({ seconds: Math.round(ms / 1_000) })

const isPostgres = () => env.get('DB_CONNECTION') === 'pg'

/** A lone clock that runs ahead cannot be detected, so the reader has to compare the time. */
function ownTime() {
  return sentence('clock.alone', { now: new Date().toISOString().slice(0, 19).replace('T', ' ') })
}

/**
 * SQLite uses the clock of this machine, so only stored times reveal that it has jumped. The latest
 * time counts, because the next event already has the time of the corrected clock.
 */
async function findLatestEvent() {
  const sealed = db.from('audit_events').whereNotNull('sequence').orderBy('occurred_at', 'desc')
  const latest = await sealed.select('occurred_at').first()
  return Number(latest?.occurred_at ?? 0)
}

async function readDatabaseClock() {
  const sql = isPostgres()
    ? 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'
    : "SELECT unixepoch('subsec') * 1000 AS now"
  const [{ now }] = await selectRows<{ now: string }>(db.connection(), sql, [])
  return Number(now)
}
