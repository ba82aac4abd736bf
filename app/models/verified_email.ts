import env from '#start/env'

/** Whether `REQUIRE_VERIFIED_EMAIL` keeps a user without tokens: no sign-in and no refresh. */
export function lacksVerifiedEmail(isVerified: boolean) {
  return mustVerifyEmail() && !isVerified
}

export function mustVerifyEmail() {
  return env.get('REQUIRE_VERIFIED_EMAIL')
}
