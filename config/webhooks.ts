import env from '#start/env'

export default {
  /** For deliveries that arrived or failed. Pending deliveries stay. */
  retentionMs: env.get('WEBHOOK_RETENTION'),
}
