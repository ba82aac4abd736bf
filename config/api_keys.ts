const DAY_MS = 86_400_000

/** API keys of users and service accounts. */
export default {
  /** How long a key lives unless its maker says otherwise, and at most: a leaked one ends by itself. */
  ttlMs: 90 * DAY_MS,
  maxTtlMs: 366 * DAY_MS,

  /** How long before its end a mail reminds of a key. */
  reminderMs: 7 * DAY_MS,

  /** The last use is written at most this often: a hint for people, and a write less for most requests. */
  touchIntervalMs: 60_000,
}
