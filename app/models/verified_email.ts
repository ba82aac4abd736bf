import { settingValue } from '#settings/values/current'
import { isLocked, storedValue } from '#settings/values/definitions'
import { readSetting } from '#settings/values/setting_rows'
import type { Transaction } from '#database/transaction'

export function lacksVerifiedEmail(isVerified: boolean) {
  return mustVerifyEmail() && !isVerified
}

export function mustVerifyEmail() {
  return settingValue('REQUIRE_VERIFIED_EMAIL')
}

/** Another process may have turned the setting on while this one waited for a lock. */
export async function mustVerifyEmailNow(trx: Transaction) {
  const name = 'REQUIRE_VERIFIED_EMAIL'
  if (mustVerifyEmail() || isLocked(name)) return mustVerifyEmail()
  const text = await readSetting(name, trx)
  return text !== undefined && storedValue(name, text) === true
}
