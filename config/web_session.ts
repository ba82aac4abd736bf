import { cookieName } from '#config/cookies'

export default {
  cookieName: cookieName('session'),

  /** OWASP ASVS 7.3.1: an idle console asks for reauthentication. */
  consoleIdleMs: 30 * 60_000,

  /** OWASP ASVS 7.3.2: an active console also asks again. */
  consoleReauthenticationMs: 12 * 3_600_000,

  savedFormMs: 15 * 60_000,
}
