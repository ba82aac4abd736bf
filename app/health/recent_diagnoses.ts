import { setTimeout as sleep } from 'node:timers/promises'
import { type BaseCheck, Result } from '@adonisjs/core/health'
import { HASHING_CHECK, LIGHT_CHECKS, runCheck, type Diagnosis } from './diagnostics.ts'
import { shared } from './shared_result.ts'

/* The checks of `doctor` for pages: an answer in bounded time, at a bounded cost. */

/** A page that is reloaded shows the same results again. */
export const KEPT_MS = 5_000

/** A dependency that hangs must not hang the page that explains it. */
const DEADLINE_MS = 4_000

/** The hashing check keeps every core busy for 0.3 s, and a machine rarely changes. */
const HASHING_KEPT_MS = 3_600_000

export interface RecentDiagnoses {
  diagnoses: Diagnosis[]
  /** Milliseconds since the epoch. */
  checkedAt: number
}

/** Every check but the one of hashing. */
export const recentDiagnoses = shared(async (): Promise<RecentDiagnoses> => {
  const diagnoses = await Promise.all(LIGHT_CHECKS.map(runInTime))
  return { diagnoses, checkedAt: Date.now() }
}, KEPT_MS)

export const hashingDiagnosis = shared(() => runCheck(HASHING_CHECK), HASHING_KEPT_MS)

async function runInTime(check: BaseCheck): Promise<Diagnosis> {
  const deadline = new AbortController()
  const late = sleep(DEADLINE_MS, null, { signal: deadline.signal }).catch(() => null)
  const diagnosis = await Promise.race([runCheck(check), late])
  deadline.abort()
  return diagnosis ?? { name: check.name, ...tooLate() }
}

function tooLate() {
  const remedy = 'Look at the database, the token store and the disk, which it waits for.'
  const message = `no result within ${DEADLINE_MS / 1_000} seconds`
  return Result.failed(message).setMetaData({ remedy })
}
