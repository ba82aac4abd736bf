import env from '#start/env'

/** The audit trail. */
export default {
  /**
   * How long repeated refusals of one cause are counted into one event. Anybody can cause
   * them, and must not be able to fill the trail: two events of a cause in ten minutes show
   * an attack as well as thousands.
   */
  coalescingMs: 600_000,

  /** How long after its commit an event waits for others of its batch before it is sealed. */
  sealDelayMs: 300,

  /** How long after a failure, such as a database that is down, sealing is tried again. */
  sealRetryMs: 3_000,

  /** Events of a batch: on SQLite, sealing them keeps other writes waiting for about 5 ms. */
  sealBatch: 200,

  /** An event that is older and not sealed shows that no process seals. */
  sealOverdueMs: 10_000,

  /** How often a process looks for events that stay unsealed, and tells the log. */
  sealWatchMs: 15_000,

  /** How often the head of the chain goes to the log, besides after an administrator's change. */
  headIntervalMs: 3_600_000,

  /** Events that are older go; null keeps all. */
  retentionMs: env.get('AUDIT_RETENTION'),

  /** Keys that a process keeps at hand, against a query for each event. */
  cachedKeys: 5_000,
}
