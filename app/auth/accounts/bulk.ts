import lockout from '#config/lockout'
import User from '#models/user'
import { Refusal } from '#auth/errors'
import { endAllOwnSessions } from '#auth/sessions/ending'
import { deleteAccount, lockAccount, unlockAccount, updateAccount } from './administration.ts'
import type { Actor } from '#audit/actor'

export type BulkAction = 'lock' | 'unlock' | 'disable' | 'delete' | 'end-sessions'

export interface BulkResult {
  done: number
  refused: { name: string; reason: string }[]
}

function act(action: BulkAction, userId: string, actor: Actor): Promise<unknown> {
  switch (action) {
    case 'lock':
      return lockAccount(userId, Date.now() + lockout.durationMs, actor)
    case 'unlock':
      return unlockAccount(userId, actor)
    case 'disable':
      return updateAccount(userId, { disabled: true }, actor)
    case 'delete':
      return deleteAccount(userId, actor)
    case 'end-sessions':
      return endAllOwnSessions(userId, actor)
    default:
      return action satisfies never
  }
}

/**
 * Does the same to several accounts, one after the other and each by itself: one that is
 * refused does not undo the others. Nobody does it to their own account.
 */
export async function applyToAccounts(ids: string[], action: BulkAction, actor: Actor) {
  const result: BulkResult = { done: 0, refused: [] }
  for (const user of await User.query().whereIn('id', ids).orderBy('email')) {
    const reason = user.id === actor.id ? 'your own account' : await refusalOf(action, user, actor)
    if (reason) result.refused.push({ name: user.email, reason })
    else result.done++
  }
  return result
}

async function refusalOf(action: BulkAction, user: User, actor: Actor) {
  try {
    await act(action, user.id, actor)
    return null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return error.message
    throw error
  }
}
