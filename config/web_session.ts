import { isHttps } from '#config/app'

/** The session of a browser on the pages: that of `/account` and `/admin` alike. Times in milliseconds. */
export default {
  cookieName: isHttps ? '__Host-session' : 'session',

  /** Without a request to it for so long, the console asks for a fresh proof (OWASP ASVS 7.3.1). */
  consoleIdleMs: 30 * 60_000,

  /** How long a proof opens the console, however busy it is (OWASP ASVS 7.3.2). */
  consoleProofMs: 12 * 3_600_000,

  /** How long a form is saved whose sender has to sign in first. */
  savedFormMs: 15 * 60_000,
}
