const DAY_MS = 86_400_000

export default {
  /** A leaked key expires: after 90 days, or after at most a year if its owner asks for more. */
  ttlMs: 90 * DAY_MS,
  maxTtlMs: 366 * DAY_MS,

  reminderMs: 7 * DAY_MS,

  touchIntervalMs: 60_000,
}
