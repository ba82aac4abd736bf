import db from '@adonisjs/lucid/services/db'
import { createAdmin } from './fixtures.ts'

/**
 * A change of an administrator locks all of them, whom tests leave by the thousand: each would
 * make all later changes slower. One stays, because every installation has one.
 */
export async function demoteAdmins() {
  const { id } = await createAdmin()
  await db.from('users').where('role', 'Admin').whereNot({ id }).update({ role: 'User' })
}
