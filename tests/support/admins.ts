import db from '@adonisjs/lucid/services/db'
import { createAdmin } from './fixtures.ts'

/**
 * Demotes all administrators but one. A change of an administrator locks all of them, and tests
 * leave thousands, which would make all later changes slower.
 */
export async function demoteAdmins() {
  const { id } = await createAdmin()
  await db.from('users').where('role', 'Admin').whereNot({ id }).update({ role: 'User' })
}
