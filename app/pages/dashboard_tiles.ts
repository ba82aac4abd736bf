import tokenStore from '#auth/store/service'
import { countByStatus, countUsers } from '#users/list/count'
import { selectUsers, type UserFilter } from '#users/list/filter'
import { formatUtcMinute } from '#validators/utc_time'

interface Tile {
  label: string
  /** Null where it is not known. */
  value: number | null
  path: string
  note?: string
}

export async function tilesOf(from: number): Promise<Tile[]> {
  const since = formatUtcMinute(from)
  const [counts, sessions, signUps, active, withMfa] = await Promise.all([
    countByStatus(),
    tokenStore.countSessions(Date.now()),
    count({ createdFrom: from }),
    count({ lastLoginFrom: from }),
    count({ mfa: 'yes' }),
  ])
  const { total, locked, disabled, invited } = counts
  const adoption = `${total ? Math.round((100 * withMfa) / total) : 0} % of all`
  return [
    { label: 'Users', value: total, path: '/admin/users' },
    { label: 'Sign-ups', value: signUps, path: `/admin/users?createdFrom=${since}` },
    { label: 'Active', value: active, path: `/admin/users?lastLoginFrom=${since}&sort=-seen` },
    { label: 'With MFA', value: withMfa, path: '/admin/users?mfa=yes', note: adoption },
    { label: 'Active sessions', value: sessions, path: '/admin/sessions' },
    { label: 'Invited', value: invited, path: '/admin/users?status=invited' },
    { label: 'Locked', value: locked, path: '/admin/users?status=locked' },
    { label: 'Disabled', value: disabled, path: '/admin/users?status=disabled' },
  ]
}

async function count(filter: UserFilter) {
  return countUsers(await selectUsers(filter))
}
