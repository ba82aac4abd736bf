import type { Group } from './group.ts'
import type { Transaction } from '#database/transaction'

/* Applications depend on groups, and not the reverse: whatever names groups registers here. */

type FindUses = (groups: Group[], trx: Transaction) => Promise<Group[]>

interface Callbacks {
  /** Reads what `find` needs, before the transaction. */
  prepare?: () => Promise<unknown>
  /** @returns the number of applications that still named a deleted group */
  forgetDeleted?: () => Promise<number>
}

const uses: ({ find: FindUses } & Callbacks)[] = []

/** @param find returns the groups that the access or the claims of an application name */
export function registerGroupUse(find: FindUses, callbacks: Callbacks = {}) {
  uses.push({ find, ...callbacks })
}

/** Precedes a transaction that asks: the first question after a change reads all applications. */
export async function prepareGroupUses() {
  for (const { prepare } of uses) await prepare?.()
}

export async function forgetDeletedGroups() {
  let changed = 0
  for (const { forgetDeleted } of uses) changed += (await forgetDeleted?.()) ?? 0
  return changed
}

export async function isNamedByApplication(groups: Group[], trx: Transaction) {
  const named = await findNamedByApplications(groups, trx)
  return named.length > 0
}

export async function findNamedByApplications(groups: Group[], trx: Transaction) {
  const found = await Promise.all(uses.map(({ find }) => find(groups, trx)))
  return found.flat()
}
