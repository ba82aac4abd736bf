import type { I18n } from '@adonisjs/i18n'
import tokenStore from '#auth/store/service'
import { countByStatus, countUsers } from '#users/list/count'
import { selectUsers, type UserFilter } from '#users/list/filter'
import { formatUtcMinute } from '#validators/utc_time'

interface Tile {
  label: string
  /** Null when unknown. */
  value: number | null
  path: string
  note?: string
}

export async function tilesOf(from: number, i18n: I18n): Promise<Tile[]> {
  const [counts, sessions, signUps, active, withMfa] = await Promise.all([
    countByStatus(),
    tokenStore.countSessions(Date.now()),
    count({ createdFrom: from }),
    count({ lastLoginFrom: from }),
    count({ mfa: 'yes' }),
  ])
  const percent = counts.total ? Math.round((100 * withMfa) / counts.total) : 0
  const share = i18n.t('console.tiles.share', { percent })
  const since = formatUtcMinute(from)
  const tiles: Record<string, Omit<Tile, 'label'>> = {
    users: { value: counts.total, path: '/admin/users' },
    sign_ups: { value: signUps, path: `/admin/users?createdFrom=${since}` },
    active: { value: active, path: `/admin/users?lastLoginFrom=${since}&sort=-seen` },
    with_mfa: { value: withMfa, path: '/admin/users?mfa=yes', note: share },
    sessions: { value: sessions, path: '/admin/sessions' },
    invited: { value: counts.invited, path: '/admin/users?status=invited' },
    locked: { value: counts.locked, path: '/admin/users?status=locked' },
    disabled: { value: counts.disabled, path: '/admin/users?status=disabled' },
  }
  return Object.entries(tiles).map(([name, tile]) => ({
    label: i18n.t(`console.tiles.${name}`),
    ...tile,
  }))
}

async function count(filter: UserFilter) {
  return countUsers(await selectUsers(filter))
}
