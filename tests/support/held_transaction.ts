import { getActiveTestOrFail } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { until } from './waiting.ts'

/** Transactions of the test itself, and of the trail's sealer in the background. */
const OTHERS = /\/tests\/(?!support\/held_)|\/app\/audit\//

/**
 * Makes the next transaction of a request wait before it begins, until the test releases it. Its
 * change has passed every check and has written nothing. Later transactions do not wait.
 *
 * @returns `begun`, which resolves when it waits, and `release`, which ends the wait
 */
export function holdTransaction() {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { transaction } = db
  const restore = () => Object.assign(db, { transaction })
  const held = async (...args: unknown[]) => {
    if (OTHERS.test(stackOf())) return transaction.apply(db, args as never)
    restore()
    begun.resolve()
    await end.promise
    return transaction.apply(db, args as never)
  }
  Object.assign(db, { transaction: held })
  getActiveTestOrFail().cleanup(() => {
    restore()
    end.resolve()
  })
  return { begun: begun.promise, release: () => end.resolve() }
}

/**
 * Resolves when the work has ended, or waits for a lock that an open transaction of the test holds.
 * On SQLite, the work waits for the only connection.
 */
export async function endedOrBlocked(work: Promise<unknown>) {
  if (db.connection().dialect.name !== 'postgres') return
  let hasEnded = false
  const end = () => void (hasEnded = true)
  work.then(end, end)
  await until(async () => hasEnded || (await isAnyBlocked()))
}

async function isAnyBlocked() {
  const waiting = { wait_event_type: 'Lock', application_name: 'gatehouse' }
  const row = await db.from('pg_stat_activity').where(waiting).first()
  return row !== null
}

/** Deep enough to reach a test through the fixtures that it awaits. */
function stackOf() {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack!
}
