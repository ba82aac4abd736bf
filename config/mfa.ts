import env from '#start/env'

/** Multi-factor: one-time codes of an authenticator app (RFC 6238) and backup codes. */
export default {
  /** How the user is named in the app. */
  issuer: 'Gatehouse',

  /** Whether administrators must enrol before they administer, on API and console (`ADMIN_REQUIRE_MFA`). */
  isRequiredOfAdmins: env.get('ADMIN_REQUIRE_MFA'),

  /** Seconds of one step. */
  period: 30,

  /** Steps before and after the present one whose code is accepted: clocks of phones are off. */
  window: 2,

  /** How long a secret that was shown waits for its first code. */
  enrolmentTtlMs: 600_000,

  /** How long a sign-in waits for its second step, and how many codes may be tried in it. */
  challengeTtlMs: 300_000,
  challengeTries: 5,

  /** Wrong codes in a row from which on one-time codes are refused: guessing over many locks. */
  suspendAfter: 20,

  /**
   * How long what the holder of a session has proved is enough for sensitive changes: longer,
   * and a browser that is left alone for a meeting would do for somebody else's.
   */
  recentProofMs: 600_000,

  /** Backup codes of one set, and how long each is; upper-case letters and digits. */
  backupCodes: 10,
  backupCodeLength: 10,
}
