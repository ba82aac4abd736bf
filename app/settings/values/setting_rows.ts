import { createHash, randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#audit/actor'
import { lockName } from '#database/named_lock'
import type { Transaction } from '#database/transaction'

/* This file owns `settings`: a row for each setting that the console or a command has set. */

export interface SettingRow {
  key: string
  value: string
  encrypted: boolean
  version: string
  updatedAt: number
}

/** Not the key of a setting: its row tells when a working mail server was last changed. */
export const MAIL_SERVER_CHANGED = 'mail_server_changed'

/** Not the key of a setting: its row tells since when the current mail server is used. */
export const MAIL_SERVER_SINCE = 'mail_server_since'

const COLUMNS = ['key', 'encrypted', 'version', 'updated_at']

/** @param known the version of a picture that is not read again: its value is returned empty */
export async function readSettings(known = '', trx?: Transaction): Promise<SettingRow[]> {
  const client = trx ?? db.connection()
  const value = client.raw("CASE WHEN version = ? THEN '' ELSE value END AS value", [known])
  const rows = await client.from('settings').orderBy('key').select(COLUMNS).select(value)
  return rows.map(({ key, value: text, encrypted, version, updated_at: updatedAt }) => ({
    key,
    value: text,
    encrypted: Boolean(encrypted),
    version,
    updatedAt: Number(updatedAt),
  }))
}

/** Reads the value within the transaction, and not from the memory of this process. */
export async function readSetting(key: string, trx: Transaction): Promise<string | undefined> {
  const row = await trx.from('settings').where({ key }).select('value').first()
  return row?.value
}

/** Without the lock, two concurrent changes would both find the state that they expect. */
export function lockSettings(trx: Transaction) {
  return lockName('settings', trx)
}

interface NewValue {
  value: string
  encrypted?: boolean
}

export async function writeSetting(
  key: string,
  { value, encrypted = false }: NewValue,
  { actor, trx }: { actor: Actor; trx: Transaction }
) {
  const changed = { value, encrypted, updated_by: actor.name, updated_at: Date.now() }
  const row = { key, ...changed, version: randomUUID() }
  await trx.table('settings').insert(row).onConflict('key').merge()
}

export async function deleteSetting(key: string, trx: Transaction) {
  await trx.from('settings').where({ key }).delete()
}

/** Covers all stored rows, even hidden ones, so that all processes return the same ETag. */
export function etagOf(rows: SettingRow[]) {
  const versions = rows.map(({ key, version }) => `${key} ${version}`).join('\n')
  return `"${createHash('sha256').update(versions).digest('base64url').slice(0, 22)}"`
}
