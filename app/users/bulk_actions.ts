import lockout from '#config/lockout'
import User from '#models/user'
import { Refusal } from '#exceptions/refusal'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { deleteUser } from './delete_user.ts'
import { lockUser, unlockUser } from './lock_user.ts'
import { updateUser } from './update_user.ts'
import type { Actor } from '#audit/actor'

export type BulkAction = 'lock' | 'unlock' | 'disable' | 'delete' | 'end-sessions'

export interface BulkResult {
  done: number
  refused: { name: string; reason: string }[]
}

/** How an action is done, where there is a choice. */
export interface BulkTerms {
  /** For how long to lock; as failed sign-ins would unless given. */
  minutes?: number | null
  /** Why to disable. */
  reason?: string | null
}

interface BulkRequest {
  action: BulkAction
  terms: BulkTerms
  actor: Actor
}

function act(userId: string, { action, terms, actor }: BulkRequest): Promise<unknown> {
  const lockMs = terms.minutes ? terms.minutes * 60_000 : lockout.durationMs
  switch (action) {
    case 'lock':
      return lockUser(userId, Date.now() + lockMs, actor)
    case 'unlock':
      return unlockUser(userId, actor)
    case 'disable':
      return updateUser(userId, { disabled: true, disabledReason: terms.reason }, actor)
    case 'delete':
      return deleteUser(userId, actor)
    case 'end-sessions':
      return endAllSessionsAs(userId, actor)
    default:
      return action satisfies never
  }
}

/**
 * Does the same to several users, one after the other and each by itself: one that is
 * refused does not undo the others. Nobody does it to their own user.
 */
export async function applyToUsers(ids: string[], request: BulkRequest) {
  const result: BulkResult = { done: 0, refused: [] }
  for (const user of await User.query().whereIn('id', ids).orderBy('email')) {
    const reason =
      user.id === request.actor.id ? 'your own account' : await refusalOf(user, request)
    if (reason) result.refused.push({ name: user.email, reason })
    else result.done++
  }
  return result
}

async function refusalOf(user: User, request: BulkRequest) {
  try {
    await act(user.id, request)
    return null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return error.message
    throw error
  }
}
