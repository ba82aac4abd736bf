import db from '@adonisjs/lucid/services/db'
import { afterLoading, noteConfiguration } from '#database/configuration_version'
import { ADMIN_ROLE } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/* `installation` is locked from check to insert: concurrent requests create one administrator. */

/** Invited or imported administrators cannot sign in yet; service accounts never can. */
export function adminsAbleToSignIn(client: QueryClientContract) {
  return client
    .from('users')
    .where({ role: ADMIN_ROLE, kind: 'person' })
    .where((able) =>
      able
        .whereNotNull('password')
        .orWhere('passkey_count', '>', 0)
        .orWhereExists(client.from('identities').whereColumn('identities.user_id', 'users.id'))
    )
}

/** Also reads the version of the settings that the page shows. */
export async function hasAdminNow() {
  const client = db.connection()
  const admin = adminsAbleToSignIn(client).select('id').limit(1).as('admin')
  const version = client.from('configuration_version').where('id', 1)
  const row = await version.select('version').select(admin).firstOrFail()
  noteConfiguration(row.version)
  return afterLoading(row.admin !== null)
}

export async function hasAdmin(trx?: Transaction) {
  const row = await adminsAbleToSignIn(trx ?? db.connection())
    .select('id')
    .first()
  return Boolean(row)
}
