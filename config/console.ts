import env from '#start/env'
import { isHttps } from '#config/app'

/** The life of a sign-in to the console, in milliseconds. */
export default {
  /** Without a click for that long, the administrator signs in again (OWASP ASVS 7.3.1). */
  idleMs: 30 * 60_000,

  /** However busy, a sign-in ends then (OWASP ASVS 7.3.2). */
  lifetimeMs: 12 * 3_600_000,

  /** For how long a password given anew allows to delete, to change a role and to reset a second factor. */
  confirmationMs: 10 * 60_000,

  /** How long a form that was sent without a sign-in is kept for its sender to continue. */
  savedFormMs: 15 * 60_000,

  /** Whether administrators enrol a second factor before anything else (`CONSOLE_REQUIRE_MFA`). */
  requiresMfa: env.get('CONSOLE_REQUIRE_MFA'),

  cookieName: isHttps ? '__Host-console' : 'console',
}
