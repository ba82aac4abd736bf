import { getActiveTestOrFail } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'

/** What the test itself does, and the sealer of the trail in the background. */
const OTHERS = /\/tests\/(?!held_)|\/app\/audit\//

/**
 * Makes the next transaction of a request wait, before it begins, until the test releases it:
 * a change which has passed every check and has written nothing. Later ones do not wait.
 *
 * @returns `begun`, which resolves when one waits, and `release`, which lets it go on
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

/** Deep enough to reach a test through the fixtures that it awaits. */
function stackOf() {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack!
}
