import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { lockAdminsForUpdate } from '#auth/last_admin'
import { assertActive } from '#auth/lock_for_change'
import { E_CHANGED } from './errors.ts'
import { assertAnAdminStays, assertMayRequireMfa } from './keep_admins.ts'
import { refreshSettings } from '#settings/values/ensure_settings'
import { applyChanges } from './apply_changes.ts'
import { assertPasswordFits } from '#settings/values/mail_server'
import { assertUnlocked, readChanges, type Changes } from './read_changes.ts'
import { recordSettings } from './record_change.ts'
import { throttleChanges } from './throttle.ts'
import {
  deleteSetting,
  etagOf,
  lockSettings,
  readSettings,
  writeSetting,
  type SettingRow,
} from '#settings/values/setting_rows'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface ChangeOptions {
  /** Has `hasRecentAuthentication`, except for an operator at the command line. */
  actor: Actor
  /** The ETag of the list that was read; null where only one value is replaced. */
  ifMatch: string | null
}

/**
 * Stores all of the changes or none. Null unsets a setting; an unchanged value writes nothing.
 * @throws E_VALIDATION_ERROR, E_SET_BY_ENVIRONMENT, E_SETTINGS_LOCKED, E_CHANGED,
 * E_NO_SECOND_FACTOR, E_LAST_ADMIN, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function changeSettings(given: Record<string, unknown>, options: ChangeOptions) {
  const { actor } = options
  assertUnlocked(actor)
  const changes = readChanges(given)
  assertMay('settings', actor)
  await storeChanges(changes, options)
}

/** @param changes already validated */
export async function storeChanges(changes: Changes, { actor, ifMatch }: ChangeOptions) {
  await throttleChanges(actor)
  await db.transaction(async (trx) => {
    /** Without the lock, the only verified administrator could be deleted during the change. */
    if (changes.has('REQUIRE_VERIFIED_EMAIL')) await lockAdminsForUpdate(trx)
    await assertActive(actor, trx)
    await lockSettings(trx)
    const before = await readSettings('', trx)
    if (ifMatch !== null && !matches(ifMatch, etagOf(before))) throw new E_CHANGED()
    await change(changes, { before, actor, trx })
  })
  await refreshSettings()
}

interface Context {
  before: SettingRow[]
  actor: Actor
  trx: Transaction
}

async function change(changes: Changes, { before, actor, trx }: Context) {
  const after = applyChanges(changes, before)
  const keys = [...changes.keys()].filter((key) => textOf(key, before) !== textOf(key, after))
  if (keys.length === 0) return
  assertPasswordFits(after)
  if (keys.includes('ADMIN_REQUIRE_MFA')) await assertMayRequireMfa(after, actor, trx)
  for (const key of keys) await write(key, after, { actor, trx })
  if (keys.includes('REQUIRE_VERIFIED_EMAIL')) await assertAnAdminStays(after, trx)
  await recordSettings({ keys, before, after }, { actor, trx })
}

function matches(ifMatch: string, etag: string) {
  return ifMatch.split(',').some((each) => ['*', etag].includes(each.trim()))
}

function textOf(key: string, rows: SettingRow[]) {
  return rows.find((row) => row.key === key)?.value
}

async function write(key: string, after: SettingRow[], by: { actor: Actor; trx: Transaction }) {
  const row = after.find((each) => each.key === key)
  return row ? writeSetting(key, row, by) : deleteSetting(key, by.trx)
}
