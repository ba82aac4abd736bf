import type { Group } from './group.ts'
import type { Transaction } from '#database/transaction'

/* Applications stand above groups: whatever names groups says so here. */

type FindUses = (groups: Group[], trx: Transaction) => Promise<Group[]>

const finders: FindUses[] = []

const preparations: (() => Promise<unknown>)[] = []

/**
 * @param find which of the groups the access or the claims of an application name
 * @param prepare reads what `find` needs, before the transaction
 */
export function onGroupUse(find: FindUses, prepare?: () => Promise<unknown>) {
  finders.push(find)
  if (prepare) preparations.push(prepare)
}

/** Before a transaction that asks: the first question after a change reads all applications. */
export async function prepareGroupUses() {
  for (const prepare of preparations) await prepare()
}

export async function isNamedByApplication(groups: Group[], trx: Transaction) {
  const named = await namedByApplications(groups, trx)
  return named.length > 0
}

export async function namedByApplications(groups: Group[], trx: Transaction) {
  const found = await Promise.all(finders.map((find) => find(groups, trx)))
  return found.flat()
}
