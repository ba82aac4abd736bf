const DAY_MS = 86_400_000

export default {
  /** A leaked key ends by itself: after 90 days, or a year at most where its owner asks for more. */
  ttlMs: 90 * DAY_MS,
  maxTtlMs: 366 * DAY_MS,

  reminderMs: 7 * DAY_MS,

  touchIntervalMs: 60_000,
}
