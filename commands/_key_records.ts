import type { Column } from './_table.ts'
import type { KeyRecord } from '#auth/signing_keys/key_records'

export const KEY_COLUMNS: Column[] = [
  { name: 'kid', title: 'Key', width: 43 },
  { name: 'use', title: 'Alg, use', width: 8 },
  { name: 'state', title: 'State', width: 9 },
  { name: 'from', title: 'From (UTC)', width: 10 },
]

/** Returns keys to print: JSON gets times in ISO 8601, and a table gets each id in one piece. */
export function keyRecords(keys: KeyRecord[], isJson: boolean): Record<string, unknown>[] {
  return isJson ? keys.map(jsonOf) : keys.map(rowOf)
}

function rowOf({ kid, algorithm, purpose, state, signsFrom }: KeyRecord) {
  const from = isoTime(signsFrom)!.slice(0, 16).replace('T', ' ')
  return { kid, use: `${algorithm} ${purpose}`, state, from }
}

function jsonOf({ createdAt, signsFrom, tokensUntil, revokedAt, ...key }: KeyRecord) {
  return {
    ...key,
    createdAt: isoTime(createdAt),
    signsFrom: isoTime(signsFrom),
    tokensUntil: isoTime(tokensUntil),
    revokedAt: isoTime(revokedAt),
  }
}

function isoTime(at: number | null) {
  return at === null ? null : new Date(at).toISOString()
}
