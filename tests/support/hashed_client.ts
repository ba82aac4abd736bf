import db from '@adonisjs/lucid/services/db'
import { application } from './oidc.ts'

/** Creates an application whose secret is stored as the hash of another product. */
export async function hashedClient(digest: string) {
  const app = await application()
  const secrets = { secret_hash: null, secret_digest: digest }
  await db.from('oauth_clients').where('id', app.client.id).update(secrets)
  return app
}
