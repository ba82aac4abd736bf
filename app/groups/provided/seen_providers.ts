import db from '@adonisjs/lucid/services/db'
import type { Transaction } from '#database/transaction'

// This file owns `provider_memberships`: the last sign-in by a provider that manages memberships.

export interface SeenProvider {
  userId: string
  provider: string
}

export async function noteSeen({ userId, provider }: SeenProvider, trx: Transaction) {
  await trx
    .knexQuery()
    .insert({ user_id: userId, provider, seen_at: Date.now() })
    .into('provider_memberships')
    .onConflict(['user_id', 'provider'])
    .merge(['seen_at'])
}

export async function forgetSeen({ userId, provider }: SeenProvider, trx: Transaction) {
  await trx.from('provider_memberships').where({ user_id: userId, provider }).delete()
}

/** Takes one query for each provider, however many users it has. */
export async function seenProviders(): Promise<string[]> {
  const names: string[] = []
  for (let after = ''; ; after = names.at(-1)!) {
    const later = db.from('provider_memberships').where('provider', '>', after)
    const [{ name }] = await later.min('provider as name')
    if (name === null) return names
    names.push(name)
  }
}

/** @param before in milliseconds since the epoch */
export async function findSeenBefore(provider: string, before: number, limit: number) {
  const rows = await db
    .from('provider_memberships')
    .where({ provider })
    .where('seen_at', '<', before)
    .orderBy('seen_at')
    .limit(limit)
  return rows.map((row): SeenProvider => ({ userId: row.user_id, provider }))
}

/** Returns false if the user has signed in since. The caller has locked the user. */
export async function isSeenBefore(
  { userId, provider }: SeenProvider,
  before: number,
  trx: Transaction
) {
  const row = await trx.from('provider_memberships').where({ user_id: userId, provider }).first()
  return Boolean(row) && Number(row.seen_at) < before
}
