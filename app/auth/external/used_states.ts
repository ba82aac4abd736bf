import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import { E_EXTERNAL_STATE } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'

/** One INSERT refuses a replayed state (RFC 9700, section 4.7). @throws E_EXTERNAL_STATE */
export async function useStateOrFail(state: string) {
  const row = { state_hash: hashToken(state), expires_at: Date.now() + settings.pendingLoginTtlMs }
  const inserted = await db
    .knexQuery()
    .insert(row)
    .into('external_states')
    .onConflict('state_hash')
    .ignore()
    .returning('state_hash')
  if (inserted.length !== 1) throw new E_EXTERNAL_STATE()
}
