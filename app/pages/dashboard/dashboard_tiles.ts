import type { I18n } from '@adonisjs/i18n'
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

export async function tilesOf(from: number, i18n: I18n): Promise<Tile[]> {
  const since = formatUtcMinute(from)
  const [counts, sessions, signUps, active, withMfa] = await Promise.all([
    countByStatus(),
    tokenStore.countSessions(Date.now()),
    count({ createdFrom: from }),
    count({ lastLoginFrom: from }),
    count({ mfa: 'yes' }),
  ])
  const { total, locked, disabled, invited } = counts
  const percent = total ? Math.round((100 * withMfa) / total) : 0
  const adoption = i18n.t('console.tiles.share', { percent })
  return [
    { label: i18n.t('console.tiles.users'), value: total, path: '/admin/users' },
    {
      label: i18n.t('console.tiles.sign_ups'),
      value: signUps,
      path: `/admin/users?createdFrom=${since}`,
    },
    {
      label: i18n.t('console.tiles.active'),
      value: active,
      path: `/admin/users?lastLoginFrom=${since}&sort=-seen`,
    },
    {
      label: i18n.t('console.tiles.with_mfa'),
      value: withMfa,
      path: '/admin/users?mfa=yes',
      note: adoption,
    },
    { label: i18n.t('console.tiles.sessions'), value: sessions, path: '/admin/sessions' },
    { label: i18n.t('console.tiles.invited'), value: invited, path: '/admin/users?status=invited' },
    { label: i18n.t('console.tiles.locked'), value: locked, path: '/admin/users?status=locked' },
    {
      label: i18n.t('console.tiles.disabled'),
      value: disabled,
      path: '/admin/users?status=disabled',
    },
  ]
}

async function count(filter: UserFilter) {
  return countUsers(await selectUsers(filter))
}
