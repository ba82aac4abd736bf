import { isIP } from 'node:net'
import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { canonicalEmail } from '#models/email'
import { canonicalId } from '#database/canonical_id'
import { findEvent, listAuditEventsAfter } from '#audit/trail/query'
import type { AuditFilter } from '#audit/trail/select_events'
import type { AuditRecord } from '#audit/trail/audit_record'
import { findSessionById } from '#auth/sessions/find_session_by_id'
import { listSessions } from '#auth/sessions/sessions'
import type { SessionRecord } from '#auth/store/contract'
import { findGroup } from '#groups/group_rows'
import { listGroups } from '#groups/list_groups'
import { listClients } from '#oidc/clients/client_list'
import { findClient, findClientById } from '#oidc/clients/client_rows'
import oidc from '#config/oidc'
import { listUsersByCursor } from '#users/list/list_users'
import { selectUsers } from '#users/list/filter'
import { findUserByName } from '#users/find_user'
import { replicaOrPrimary } from '#database/replica'

/* Each kind has an index or few rows, so the answer takes no longer with a million users. */

/** Rows that are shown of each kind; the list of that kind shows the others. */
export const SHOWN = 5

/** The trigram indexes find three characters and more. */
const SHORTEST_PART = 3

interface Found<Row> {
  rows: Row[]
  hasMore: boolean
}

const none = { rows: [], hasMore: false }

export async function findAll(text: string) {
  const id = isUuid(text) ? canonicalId(text) : null
  const [users, clients, groups] = await Promise.all([
    id ? only(User.find(id)) : findUsers(text),
    oidc.isOn ? findClients(text, id) : none,
    id ? only(findGroup(id)) : findGroups(text),
  ])
  const user = users.rows.length === 1 ? users.rows[0] : null
  const [sessions, events] = await Promise.all([
    id && !user ? only(findSessionById(id)) : sessionsOf(user),
    findEvents(text, { id, user }),
  ])
  const owners = await ownersOf(sessions.rows)
  return { users, clients, groups, sessions, owners, events }
}

async function only<Row>(found: Promise<Row | null>): Promise<Found<Row>> {
  const row = await found
  return { rows: row ? [row] : [], hasMore: false }
}

function firstOf<Row>(rows: Row[]): Found<Row> {
  return { rows: rows.slice(0, SHOWN), hasMore: rows.length > SHOWN }
}

/** No index covers parts of two characters, so a shorter text finds only whole names. */
async function findUsers(text: string): Promise<Found<User>> {
  if ([...text].length < SHORTEST_PART) return only(findUserByName(text))
  const page = { order: 'createdAt', isDescending: true, limit: SHOWN } as const
  const { users, nextCursor } = await listUsersByCursor(await selectUsers({ search: text }), page)
  return { rows: users, hasMore: nextCursor !== null }
}

async function findClients(text: string, id: string | null) {
  const exact = id ? ((await findClientById(id)) ?? (await findClient(text))) : null
  if (exact) return { rows: [exact], hasMore: false }
  const { clients, next } = await listClients({ search: text, limit: SHOWN })
  return { rows: clients, hasMore: next !== null }
}

async function findGroups(text: string) {
  const { groups, next } = await listGroups({ search: text, limit: SHOWN })
  return { rows: groups, hasMore: next !== null }
}

async function sessionsOf(user: User | null) {
  return user ? firstOf(await listSessions(user.id)) : none
}

async function ownersOf(sessions: SessionRecord[]) {
  const ids = [...new Set(sessions.map(({ userId }) => userId))]
  const users = ids.length > 0 ? await User.query().whereIn('id', ids) : []
  return new Map(users.map((user) => [user.id, user]))
}

interface Subject {
  id: string | null
  user: User | null
}

async function findEvents(text: string, { id, user }: Subject): Promise<Found<AuditRecord>> {
  const event = id ? await findEvent(id, replicaOrPrimary()) : null
  if (event) return { rows: [event], hasMore: false }
  const filter = eventFilter(text, user)
  if (!filter) return none
  const { events, hasMore } = await listAuditEventsAfter(filter, { limit: SHOWN })
  return { rows: events, hasMore }
}

/** An address without a user finds the sign-ins that guessed it. */
function eventFilter(text: string, user: User | null): AuditFilter | null {
  if (user) return { about: user.id }
  if (isIP(text)) return { ip: text }
  const email = canonicalEmail(text)
  return email ? { email } : null
}
