import type { Group } from './group.ts'
import type { Transaction } from '#database/transaction'

/* Applications stand above groups: whatever names groups says so here. */

type FindUse = (groups: Group[], trx: Transaction) => Promise<boolean>

const finders: FindUse[] = []

/** @param find whether the access or the claims of an application name one of the groups */
export function onGroupUse(find: FindUse) {
  finders.push(find)
}

export async function isNamedByApplication(groups: Group[], trx: Transaction) {
  for (const find of finders) if (await find(groups, trx)) return true
  return false
}
