import env from '#start/env'

export function lacksVerifiedEmail(isVerified: boolean) {
  return mustVerifyEmail() && !isVerified
}

export function mustVerifyEmail() {
  return env.get('REQUIRE_VERIFIED_EMAIL')
}
