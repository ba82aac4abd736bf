import { record } from '#events/record'
import { detailsOf } from '#groups/group'
import { canonicalGroupName, groupKey, isProviderName } from '#groups/group_name'
import { insertMissingGroups } from '#groups/group_rows'
import { PROVIDER_NAME } from '#setup/environment/oidc_clients'
import { entriesOf, type Situation } from './situation.ts'
import type { Entry } from '#configuration/document/entries'
import type { Transaction } from '#database/transaction'

/* A client may name a group of a provider before the first sign-in through that provider. */

export const NO_PROVIDER_GROUP =
  'A group of a provider is its name, a colon and the name of the group, such as acme:staff'

/** Applies the rules of a sign-in to the name that the provider gives and to the whole name. */
export function canBeMade(name: string) {
  const [provider, ...others] = name.split(':')
  const own = others.join(':')
  return PROVIDER_NAME.test(provider) && [own, name].every((each) => canonicalGroupName(each))
}

/** Returns each missing group with the first client that names it. */
export function missingProviderGroups(situation: Situation) {
  const named = entriesOf(situation, 'clients').flatMap((entry) =>
    (entry.value.allowedGroups ?? []).map((name): [string, Entry] => [groupKey(name), entry])
  )
  const missing = named.filter(([key]) => isProviderName(key) && !situation.groups.has(key))
  return new Map(missing.toReversed())
}

/** Makes missing groups. A sign-in, or another client of the files, may have made some by now. */
export async function makeProviderGroups(
  names: string[] = [],
  { actor }: Situation,
  trx: Transaction
) {
  const wanted = names.filter(isProviderName).flatMap((name) => canonicalGroupName(name) ?? [])
  if (wanted.length === 0) return
  for (const group of await insertMissingGroups(wanted, trx))
    await record(trx, { type: 'group.created', user: null, actor, details: detailsOf(group) })
}
