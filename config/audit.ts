import env from '#start/env'

export default {
  /** Repeated refusals become one event, so that an attacker cannot fill the trail. */
  coalescingMs: 600_000,

  sealDelayMs: 300,

  sealRetryMs: 3_000,

  sealBatch: 200,

  sealOverdueMs: 10_000,

  sealWatchMs: 15_000,

  headIntervalMs: 3_600_000,

  retentionMs: env.get('AUDIT_RETENTION'),

  cachedKeys: 5_000,
}
