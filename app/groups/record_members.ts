import { record } from '#events/record'
import { detailsOf, type Group } from './group.ts'
import type { Actor } from '#audit/actor'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

type Named = Pick<Group, 'id' | 'name'>

/** Runs after the rows are written: the first removal ends what the user lost by all removals. */
export async function recordMemberships(
  about: { user: Pick<User, 'id'>; actor: Actor },
  { add, remove }: Record<'add' | 'remove', Named[]>,
  trx: Transaction
) {
  for (const [at, group] of remove.entries()) {
    const context = at > 0 ? { isFurther: true as const } : {}
    const details = detailsOf(group)
    await record(trx, { type: 'group.member_removed', ...about, details, context })
  }
  for (const group of add)
    await record(trx, { type: 'group.member_added', ...about, details: detailsOf(group) })
}
