import env from '#start/env'

export default {
  threshold: env.get('LOCKOUT_THRESHOLD'),

  windowMs: env.get('LOCKOUT_WINDOW'),

  /** Further attempts do not extend a lock. */
  durationMs: env.get('LOCKOUT_DURATION'),

  hasKnownDevices: env.get('LOCKOUT_KNOWN_DEVICES') === 'on',

  /** A stolen device token gives five more guesses per window until it expires. */
  deviceTtlMs: 180 * 24 * 3_600_000,
}
