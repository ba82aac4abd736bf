import { settingValue } from '#settings/values/current'

export function lacksVerifiedEmail(isVerified: boolean) {
  return mustVerifyEmail() && !isVerified
}

export function mustVerifyEmail() {
  return settingValue('REQUIRE_VERIFIED_EMAIL')
}
