import User from '#models/user'
import { canAnAdminSignIn } from '#auth/last_admin'
import { canProveTwoFactors } from '#auth/sessions/required_factors'
import { E_LAST_ADMIN } from '#auth/errors'
import { E_NO_SECOND_FACTOR } from './errors.ts'
import { storedValue, type WritableSetting } from '#settings/values/definitions'
import type { Actor } from '#audit/actor'
import type { SettingRow } from '#settings/values/setting_rows'
import type { Transaction } from '#database/transaction'

function isOn(name: WritableSetting, rows: SettingRow[]) {
  const row = rows.find(({ key }) => key === name)
  return row ? storedValue(name, row.value) === true : false
}

/** Otherwise the session that requires it would be refused first. @throws E_NO_SECOND_FACTOR */
export async function assertMayRequireMfa(after: SettingRow[], { id }: Actor, trx: Transaction) {
  if (id === null || !isOn('ADMIN_REQUIRE_MFA', after)) return
  const user = await User.find(id, { client: trx })
  if (!user || !canProveTwoFactors(user)) throw new E_NO_SECOND_FACTOR()
}

/** @throws E_LAST_ADMIN if every administrator has an unverified address */
export async function assertAnAdminStays(after: SettingRow[], trx: Transaction) {
  if (!isOn('REQUIRE_VERIFIED_EMAIL', after)) return
  if (!(await canAnAdminSignIn(trx, { mustVerify: true }))) throw new E_LAST_ADMIN()
}
