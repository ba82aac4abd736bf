import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { record } from '#events/record'
import { detailsOf } from '../group.ts'
import { groupKey } from '../group_name.ts'
import { findGroupsByName, insertMissingGroups } from '../group_rows.ts'
import { memberRowsOf } from '../member_rows.ts'
import { changeProvided } from './change_provided.ts'
import { claimedNamesOf } from './claimed_names.ts'
import { forgetSeen, noteSeen, type SeenProvider } from './seen_providers.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface ProviderSignIn extends SeenProvider {
  /** As the provider wrote them. Absent if it reported no claim, which changes no membership. */
  groups?: string[]
  actor: Actor
}

/** Runs in the transaction of the sign-in, which it must not stop. */
export async function setProvidedGroups({ groups, ...about }: ProviderSignIn, trx: Transaction) {
  const rows = await memberRowsOf(about.userId, trx)
  const provided = rows.filter(({ source }) => source === about.provider)
  if (!groups) return provided.length > 0 && noteSeen(about, trx)
  const room = limits.groupsOfUser - (rows.length - provided.length)
  const { names, leftOut } = namesWithin(room, claimedNamesOf(about.provider, groups))
  const wanted = await findOrInsert(names, about.actor, trx)
  warnOfLeftOut(about, leftOut + names.length - wanted.length)
  const isWanted = new Set(wanted.map(({ id }) => id))
  const isMember = new Set(rows.map((row) => row.group_id))
  const left = provided.filter((row) => !isWanted.has(row.group_id))
  const remove = left.map((row) => ({ id: row.group_id, name: row.name }))
  const add = wanted.filter(({ id }) => !isMember.has(id))
  await changeProvided(about, { add, remove }, trx)
  return wanted.length > 0 ? noteSeen(about, trx) : forgetSeen(about, trx)
}

/** Keeps at most `room` names, because the user's other memberships take precedence. */
function namesWithin(room: number, named: (string | null)[]) {
  const distinct = new Map<string, string>()
  for (const name of named) if (name !== null) distinct.set(groupKey(name), name)
  const names = [...distinct.values()].slice(0, Math.max(0, room))
  const leftOut = named.filter((name) => name === null).length + distinct.size - names.length
  return { names, leftOut }
}

function warnOfLeftOut({ userId, provider }: SeenProvider, leftOut: number) {
  if (leftOut > 0) logger.warn({ userId, provider, leftOut }, 'groups of a provider were left out')
}

/** The second look finds a group that another sign-in created after the first look. */
async function findOrInsert(names: string[], actor: Actor, trx: Transaction) {
  if (names.length === 0) return []
  const known = await findGroupsByName(names, trx)
  if (known.length === names.length) return known
  for (const group of await insertMissingGroups(names, trx, limits.providedGroups))
    await record(trx, { type: 'group.created', user: null, actor, details: detailsOf(group) })
  return findGroupsByName(names, trx)
}
