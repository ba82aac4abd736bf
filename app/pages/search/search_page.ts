import { isIP } from 'node:net'
import type { I18n } from '@adonisjs/i18n'
import store from '#auth/store/service'
import { eventLines } from '#transformers/admin/event_line'
import { searchValidator } from '#validators/admin'
import { findAll } from './find_all.ts'

export async function searchPage(i18n: I18n, values: Record<string, unknown>) {
  const text = await readText(values.q)
  const page = { text, form: { input: { q: text }, errors: {}, focus: text ? null : 'q' } }
  return { ...page, found: text ? await foundPage(i18n, text) : null }
}

/** Returns an empty text for one that no user, application or group can have. */
async function readText(given: unknown) {
  const [invalid, query] = await searchValidator.tryValidate({ q: given === '' ? null : given })
  return invalid ? '' : (query.q ?? '')
}

async function foundPage(i18n: I18n, text: string) {
  const { users, clients, groups, sessions, owners, events } = await findAll(text)
  const [user] = users.rows
  const parts = [users, clients, groups, sessions, events]
  return {
    isEmpty: parts.every(({ rows }) => rows.length === 0),
    users: { ...users, path: pathOf('/admin/users', { search: text }) },
    clients: { ...clients, path: pathOf('/admin/clients', { search: text }) },
    groups: { ...groups, path: pathOf('/admin/groups', { search: text }) },
    sessions: {
      rows: sessions.rows.map((session) => ({ session, user: owners.get(session.userId) })),
      path: user ? pathOf('/admin/sessions', { user: user.id }) : '/admin/sessions',
      hasMore: sessions.hasMore,
    },
    events: {
      ...events,
      lines: await eventLines(i18n, events.rows),
      path: pathOf('/admin/audit', isIP(text) ? { ip: text } : { account: user?.id ?? text }),
    },
    /** Redis finds a session only by its user. */
    isWithoutSessionIds: store.driver === 'redis',
  }
}

function pathOf(path: string, parameters: Record<string, string>) {
  return `${path}?${new URLSearchParams(parameters)}`
}
