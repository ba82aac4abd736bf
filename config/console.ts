import { isHttps } from '#config/app'

/** Lifetimes of the console's sessions, in milliseconds. */
export default {
  /** Without a request for so long, the administrator signs in again (OWASP ASVS 7.3.1). */
  idleMs: 30 * 60_000,

  /** A session ends then even when it is used (OWASP ASVS 7.3.2). */
  lifetimeMs: 12 * 3_600_000,

  /** How long a form is saved whose sender has to sign in first. */
  savedFormMs: 15 * 60_000,

  cookieName: isHttps ? '__Host-console' : 'console',
}
