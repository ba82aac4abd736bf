import env from '#start/env'

export default {
  /** Failed logins of one e-mail before it is locked. */
  threshold: env.get('LOCKOUT_THRESHOLD'),

  /** How long failures are remembered, from the first one on. */
  windowMs: env.get('LOCKOUT_WINDOW'),

  /** How long a lock holds; further attempts do not extend it. */
  durationMs: env.get('LOCKOUT_DURATION'),
}
