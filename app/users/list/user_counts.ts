import db from '@adonisjs/lucid/services/db'
import { IS_PENDING } from '#users/invitations'
import { countByRole } from './count.ts'

export interface UserCounts {
  total: number
  locked: number
  disabled: number
  invited: number
}

/** How many users there are, and how many of them cannot sign in at this moment. */
export async function countUsers(now = Date.now()): Promise<UserCounts> {
  const users = () => db.from('users').count('* as total')
  const [all, locked, disabled, invited] = await Promise.all([
    countByRole(),
    users().where('locked_until', '>', now),
    users().whereRaw('COALESCE(disabled_at, 0) > 0'),
    users().whereRaw(IS_PENDING),
  ])
  const total = ([row]: any[]) => Number(row.total)
  return {
    total: all,
    locked: total(locked),
    disabled: total(disabled),
    invited: total(invited),
  }
}
