import env from '#start/env'

export default {
  /** Of deliveries that arrived or failed. What is pending stays. */
  retentionMs: env.get('WEBHOOK_RETENTION'),
}
