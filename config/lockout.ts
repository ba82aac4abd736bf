import env from '#start/env'

export default {
  /** Failed logins of one e-mail before it is locked. */
  threshold: env.get('LOCKOUT_THRESHOLD'),

  /** How long failures are remembered, from the first one on. */
  windowMs: env.get('LOCKOUT_WINDOW'),

  /** How long a lock holds; further attempts do not extend it. */
  durationMs: env.get('LOCKOUT_DURATION'),

  /** Whether the attempts of a device that the user has signed in from are counted by themselves. */
  hasKnownDevices: env.get('LOCKOUT_KNOWN_DEVICES') === 'on',

  /** How long a device is known after a sign-in: a stolen token gives five more guesses a window. */
  deviceTtlMs: 180 * 24 * 3_600_000,
}
