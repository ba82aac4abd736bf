import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import type { Actor } from '#audit/actor'
import type { CreatedBackup } from './create.ts'

export async function recordBackup({ manifest }: CreatedBackup, actor: Actor) {
  const { isEncrypted, entries } = manifest
  const rows = entries.reduce((sum, entry) => sum + (entry.rows ?? 0), 0)
  const event = { type: 'backup.created', user: null, actor } as const
  await db.transaction((trx) => record(trx, { ...event, details: { isEncrypted, rows } }))
}
