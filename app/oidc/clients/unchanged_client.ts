import db from '@adonisjs/lucid/services/db'

type Columns = { jwks_uri: string } | { secret_digest: string }

/** Reads the row and not the memory, because the row may have changed while a request waited. */
export async function isUnchanged(clientId: string, columns: Columns) {
  const rows = db.from('oauth_clients').where({ client_id: clientId, ...columns })
  return Boolean(await rows.select('id').first())
}
