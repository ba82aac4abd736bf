import env from '#start/env'

export default {
  issuer: 'Gatehouse',

  isRequiredOfAdmins: env.get('ADMIN_REQUIRE_MFA'),

  period: 30,

  /** RFC 6238: codes of two steps before and after count, because clocks of phones are inexact. */
  window: 2,

  enrolmentTtlMs: 600_000,

  challengeTtlMs: 300_000,

  /** A browser that its user leaves for a meeting must not allow sensitive changes. */
  recentAuthenticationMs: 600_000,

  backupCodes: 10,
  backupCodeLength: 10,
}
