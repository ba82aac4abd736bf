import db from '@adonisjs/lucid/services/db'
import { ADMIN_ROLE } from '#models/user'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/* Locking the row of `installation` from check to insert lets concurrent requests create one administrator. */

/** Invited or imported administrators cannot sign in yet, service accounts never. */
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

export async function hasAdmin(trx?: Transaction) {
  const row = await adminsAbleToSignIn(trx ?? db.connection())
    .select('id')
    .first()
  return Boolean(row)
}
