export default {
  /** Each event is sent to all of them. */
  webhooks: 20,

  /** What an administrator types. Receivers keep a token in its query. */
  webhookUrl: 2_000,

  /** Per webhook: each request makes the receiver work, and a replay sends up to the whole trail. */
  webhookTests: { limit: 60, windowMs: 3_600_000 },
  webhookReplays: { limit: 20, windowMs: 3_600_000 },

  /** Per API key, and per administrator, at all webhooks. */
  callerReplays: { limit: 60, windowMs: 3_600_000 },

  /** Events that the answer to a replay counts, for which the trail is read; all are sent. */
  replayCount: 10_000,

  /** Per webhook: each retry writes an event. */
  webhookRetries: { limit: 600, windowMs: 3_600_000 },

  /**
   * Per API key, and per administrator: a new endpoint or address, or one that is enabled and answers
   * 410, is a mail.
   */
  webhookChanges: { limit: 60, windowMs: 3_600_000 },
  ownWebhookChanges: { limit: 300, windowMs: 3_600_000 },

  /** Deliveries that wait for an endpoint: what is beyond stays in the trail until there is room. */
  pendingDeliveries: 10_000,

  deliveryPage: 100,

  /** Standard Webhooks recommends 15 to 30 seconds. A longer answer is not read. */
  delivery: { limit: 1_024, deadlineMs: 15_000 },

  /** Requests to an endpoint at once, over all processes. With 20 endpoints there are 40 in all. */
  deliveriesAtOnce: 2,
}
