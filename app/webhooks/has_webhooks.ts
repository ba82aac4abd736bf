import db from '@adonisjs/lucid/services/db'

export async function hasWebhooks() {
  return Boolean(await db.from('webhooks').select('id').first())
}
