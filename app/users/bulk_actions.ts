import lockout from '#config/lockout'
import { yieldToEventLoop } from '#database/batches'
import User from '#models/user'
import { E_TOKEN_REVOKED } from '#auth/errors'
import { addMember } from '#groups/members'
import { Refusal } from '#exceptions/refusal'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { deleteUser } from './delete_user.ts'
import { disableUser } from './disable_user.ts'
import { lockUser, unlockUser } from './lock_user.ts'
import type { Actor } from '#audit/actor'

export type BulkAction = 'lock' | 'unlock' | 'disable' | 'delete' | 'end-sessions' | 'add-to-group'

export interface BulkResult {
  done: number
  refused: { name: string; refusal: Refusal | null }[]
}

export interface BulkOptions {
  /** The duration of the lock; by default the same as after failed sign-ins. */
  minutes?: number | null
  reason?: string | null
  /** The id of the group of `add-to-group`. */
  group?: string | null
}

interface BulkRequest {
  action: BulkAction
  options: BulkOptions
  actor: Actor
}

/**
 * Each user has a transaction of its own: a refusal for one does not undo the others.
 * Administrators cannot lock themselves out.
 * @throws E_TOKEN_REVOKED as soon as the session of the administrator has ended
 */
export async function applyToUsers(ids: string[], request: BulkRequest) {
  const result: BulkResult = { done: 0, refused: [] }
  for (const user of await User.query().whereIn('id', ids).orderBy('email')) {
    const isOwn = user.id === request.actor.id && request.action !== 'add-to-group'
    const refusal = isOwn ? null : await refusalOf(user, request)
    if (isOwn || refusal) result.refused.push({ name: user.label, refusal })
    else result.done++
    await yieldToEventLoop()
  }
  return result
}

async function refusalOf(user: User, request: BulkRequest) {
  try {
    await APPLY[request.action](user.id, request.actor, request.options)
    return null
  } catch (error) {
    const isOfUser = error instanceof Refusal && error.status < 500
    if (!isOfUser || error instanceof E_TOKEN_REVOKED) throw error
    return error
  }
}

type Apply = (userId: string, actor: Actor, options: BulkOptions) => Promise<unknown>

const APPLY: Record<BulkAction, Apply> = {
  'lock': (id, actor, { minutes }) => lockUser(id, lockEnd(minutes), actor),
  'unlock': (id, actor) => unlockUser(id, actor),
  'disable': (id, actor, { reason }) => disableUser(id, { reason }, actor),
  'delete': (id, actor) => deleteUser(id, actor),
  'end-sessions': (id, actor) => endAllSessionsAs(id, actor),
  'add-to-group': (id, actor, { group }) => addMember(id, group ?? '', actor),
}

function lockEnd(minutes?: number | null) {
  return Date.now() + (minutes ? minutes * 60_000 : lockout.durationMs)
}
