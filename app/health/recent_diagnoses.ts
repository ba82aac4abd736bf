import { setTimeout as sleep } from 'node:timers/promises'
import { sentence } from '#i18n/sentences'
import { failed } from './check_result.ts'
import { HEAVY_CHECKS, LIGHT_CHECKS, runCheck, type Check, type Diagnosis } from './diagnostics.ts'
import { shared } from './shared_result.ts'

/* The checks of `doctor` for pages: an answer in bounded time, at a bounded cost. */

/** A page that is reloaded within this time shows the same results. */
export const KEPT_MS = 5_000

/** What the heavy checks look at rarely changes. */
const HEAVY_KEPT_MS = 3_600_000

/** A dependency that hangs must not hang the page that explains it. */
const DEADLINE_MS = 4_000

export interface RecentDiagnoses {
  diagnoses: Diagnosis[]
  /** Milliseconds since the epoch. */
  checkedAt: number
}

/** Runs every check except for the heavy ones. */
export const recentDiagnoses = shared(async (): Promise<RecentDiagnoses> => {
  const diagnoses = await Promise.all(LIGHT_CHECKS.map(runInTime))
  return { diagnoses, checkedAt: Date.now() }
}, KEPT_MS)

async function runInTime(check: Check): Promise<Diagnosis> {
  const diagnosis = await inTime(runCheck(check))
  return diagnosis ?? { name: check.name, ...tooLate() }
}

let lastHeavy: Diagnosis[] = []

/** The results of the last heavy run, without a new run; empty before the first run. */
export const lastHeavyDiagnoses = () => lastHeavy

/** Runs the checks one after the other, because hashing would distort the others. */
const runHeavy = shared(async () => {
  const diagnoses: Diagnosis[] = []
  for (const check of HEAVY_CHECKS) diagnoses.push(await runCheck(check))
  return (lastHeavy = diagnoses)
}, HEAVY_KEPT_MS)

/** Returns an empty list if the checks are not done in time. The next visit shows them. */
export async function heavyDiagnoses() {
  const diagnoses = await inTime(runHeavy())
  return diagnoses ?? []
}

/** @returns null after the deadline; the work goes on */
async function inTime<Value>(work: Promise<Value>): Promise<Value | null> {
  const deadline = new AbortController()
  const late = sleep(DEADLINE_MS, null, { signal: deadline.signal, ref: false }).catch(() => null)
  try {
    return await Promise.race([work, late])
  } finally {
    deadline.abort()
  }
}

function tooLate() {
  const finding = sentence('failures.too_late.finding', { seconds: DEADLINE_MS / 1_000 })
  return failed(finding, sentence('failures.too_late.remedy'))
}
