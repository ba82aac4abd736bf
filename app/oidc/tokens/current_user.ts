import { LRUCache } from 'lru-cache'
import User from '#models/user'

/** Each takes some kilobytes of memory. */
const MOST = 1_000

const users = new LRUCache<string, User>({ max: MOST })

/**
 * The record that all requests share under one version, which a trigger renews with each change.
 * No request may change it.
 */
export async function findCurrentUser(id: string, version: string, read = () => User.find(id)) {
  const known = users.get(id)
  if (known?.versionId === version) return known
  const user = await read()
  if (user) users.set(id, user)
  return user
}
