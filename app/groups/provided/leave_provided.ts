import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { hasGroupsClaim } from '#auth/external/claimed_groups'
import { SYSTEM } from '#audit/actor'
import { inBatches, yieldToEventLoop } from '#database/batches'
import { memberRowsOf } from '../member_rows.ts'
import { changeProvided } from './change_provided.ts'
import {
  findSeenBefore,
  forgetSeen,
  isSeenBefore,
  seenProviders,
  type SeenProvider,
} from './seen_providers.ts'
import type { Transaction } from '#database/transaction'

/** The caller has locked the user. */
export async function leaveProvidedGroups({ userId, provider }: SeenProvider, trx: Transaction) {
  const rows = await memberRowsOf(userId, trx)
  const provided = rows.filter(({ source }) => source === provider)
  const remove = provided.map((row) => ({ id: row.group_id, name: row.name }))
  await changeProvided({ userId, provider, actor: SYSTEM }, { add: [], remove }, trx)
  await forgetSeen({ userId, provider }, trx)
}

/**
 * Ends memberships of a provider that no longer reports groups, and of users who have not signed in
 * by it for long: they may have left there. @returns the number of users who left groups
 */
export async function leaveLapsedGroups(now = Date.now()) {
  let left = 0
  for (const provider of await seenProviders()) {
    const before = hasGroupsClaim(provider) ? now - settings.groupsTtlMs : Number.MAX_SAFE_INTEGER
    left += await inBatches((size) => leaveBatch(provider, before, size))
  }
  return left
}

async function leaveBatch(provider: string, before: number, size: number) {
  const seen = await findSeenBefore(provider, before, size)
  for (const each of seen) {
    await db.transaction((trx) => leaveUnlessSeen(each, before, trx))
    await yieldToEventLoop()
  }
  return seen.length
}

/** A user who has just signed in by the provider keeps the memberships. */
async function leaveUnlessSeen(seen: SeenProvider, before: number, trx: Transaction) {
  await User.lockForUpdate(seen.userId, trx)
  if (await isSeenBefore(seen, before, trx)) await leaveProvidedGroups(seen, trx)
}
