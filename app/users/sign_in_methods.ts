import User from '#models/user'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKeysSince } from '#auth/api_keys/revoke_keys'
import { METHODS } from '#auth/methods/methods'
import type { Credentials } from '#auth/methods/sign_in_method'
import type { KeyRecord } from '#auth/api_keys/key_record'
import type { Transaction } from '#database/transaction'

/* A thief may add these to return later: ending sessions or a new password does not remove them. */

/** API keys are not a sign-in method, but an attacker may also leave one behind. */
export const apiKeys = {
  key: 'apiKeys',
  list: listKeys,
  summarize: ({ name, createdAt, expiresAt }: KeyRecord) => ({ name, createdAt, expiresAt }),
  addedAt: ({ createdAt }: KeyRecord) => createdAt,
  removeSince: async (userId: string, since: number, trx: Transaction) => {
    const revokedKeys = await revokeKeysSince(userId, since, trx)
    return { removed: revokedKeys > 0 ? { revokedKeys } : {} }
  },
} satisfies Credentials

export const CREDENTIALS = [
  ...Object.values(METHODS),
  { isMultiFactor: false, credentials: apiKeys },
].flatMap(({ isMultiFactor, credentials }) =>
  credentials ? [{ ...credentials, isMultiFactor }] : []
)

export type Key = (typeof CREDENTIALS)[number]['key']

export async function hasAddedSince(userId: string, since: number) {
  const user = await User.find(userId)
  const isNewFactor = (user?.mfaEnabledAt?.toMillis() ?? 0) >= since
  if (isNewFactor) return true
  const times = await addedTimes(userId)
  return times.some((time) => Date.parse(time) >= since)
}

async function addedTimes(userId: string) {
  const times: string[] = []
  for (const { list, addedAt } of CREDENTIALS as Credentials[]) {
    const credentials = await list(userId)
    times.push(...credentials.map(addedAt))
  }
  return times
}

type Lists = Record<Key, object[]>

export async function listCredentials(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list } of CREDENTIALS) lists[key] = await list(userId)
  return lists as Lists
}

export async function listSignInMethods(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list, summarize } of CREDENTIALS as (Credentials & { key: Key })[]) {
    const credentials = await list(userId)
    lists[key] = credentials.map(summarize)
  }
  return lists as Lists
}
