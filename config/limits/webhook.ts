export default {
  /** Each event is sent to all webhooks. */
  webhooks: 20,

  /** The address that an administrator types. Receivers keep a token in its query. */
  webhookUrl: 2_000,

  /** Per webhook: each request makes the receiver work, and a replay sends up to the whole trail. */
  webhookTests: { limit: 60, windowMs: 3_600_000 },
  webhookReplays: { limit: 20, windowMs: 3_600_000 },

  /** Per API key and per administrator, for all webhooks together. */
  callerReplays: { limit: 60, windowMs: 3_600_000 },

  /** Events that the answer to a replay counts by reading the trail; all events are sent. */
  replayCount: 10_000,

  /** Per webhook: each retry writes an event. */
  webhookRetries: { limit: 600, windowMs: 3_600_000 },

  /**
   * Per API key and per administrator: a mail is sent about a new endpoint or address, and about an
   * enabled endpoint that answers 410.
   */
  webhookChanges: { limit: 60, windowMs: 3_600_000 },
  ownWebhookChanges: { limit: 300, windowMs: 3_600_000 },

  /** Deliveries that wait for an endpoint: further events stay in the trail until there is room. */
  pendingDeliveries: 10_000,

  deliveryPage: 100,

  /** Standard Webhooks recommends 15 to 30 seconds. A longer answer is not read. */
  delivery: { limit: 1_024, deadlineMs: 15_000 },

  /** Concurrent requests to an endpoint, over all processes: with 20 endpoints, 40 in all. */
  deliveriesAtOnce: 2,
}
