import db from '@adonisjs/lucid/services/db'
import User from '#models/user'

/**
 * Call it before an application receives the handle: from then on its owner may not change it.
 * Writes once for each user.
 * @returns the user with the handle that is marked, which may have changed meanwhile
 */
export async function markHandleReceived(user: User): Promise<User> {
  if (user.handleReceivedAt) return user
  const { id, handle } = user
  const unmarked = db.from('users').where({ id, handle }).whereNull('handle_received_at')
  if (Number(await unmarked.update({ handle_received_at: Date.now() })) > 0) return user
  const current = await User.find(id)
  return !current || current.handle === handle ? user : markHandleReceived(current)
}
