import db from '@adonisjs/lucid/services/db'
import User from '#models/user'

/**
 * Must run before an application receives the handle: afterwards its owner may not change it.
 * Writes only one time for each user.
 * @returns the user with the handle that is marked, which a concurrent request may have changed
 */
export async function markHandleReceived(user: User): Promise<User> {
  if (user.handleReceivedAt) return user
  const { id, handle } = user
  const unmarked = db.from('users').where({ id, handle }).whereNull('handle_received_at')
  if (Number(await unmarked.update({ handle_received_at: Date.now() })) > 0) return user
  const current = await User.find(id)
  return !current || current.handle === handle ? user : markHandleReceived(current)
}

/** Does the same as `markHandleReceived` for many users, with a few statements. */
export async function markHandlesReceived(users: User[]): Promise<User[]> {
  const ids = users.filter(({ handleReceivedAt }) => !handleReceivedAt).map(({ id }) => id)
  if (ids.length === 0) return users
  await db.transaction(async (trx) => {
    const unmarked = trx.from('users').whereIn('id', ids).whereNull('handle_received_at')
    // Without an order, two pages with the same users would wait for each other.
    const rows = await unmarked.orderBy('id').forUpdate().select('id')
    const found = rows.map(({ id }) => id)
    await trx.from('users').whereIn('id', found).update({ handle_received_at: Date.now() })
  })
  const marked = await User.query().whereIn('id', ids)
  const current = new Map(marked.map((user) => [user.id, user]))
  return users.map((user) => current.get(user.id) ?? user)
}
