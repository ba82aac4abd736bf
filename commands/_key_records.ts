import type { Column } from './_table.ts'
import type { KeyRecord } from '#auth/signing_keys/key_records'

export const KEY_COLUMNS: Column[] = [
  { name: 'kid', title: 'Key', width: 43 },
  { name: 'algorithm', title: 'Alg', width: 5 },
  { name: 'state', title: 'State', width: 9 },
  { name: 'signsFrom', title: 'Signs from (UTC)', width: 16 },
  { name: 'purpose', title: 'For', width: 8 },
]

/** A key as commands print it: with times in ISO 8601, UTC. */
export function keyRecord({ createdAt, signsFrom, tokensUntil, revokedAt, ...key }: KeyRecord) {
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
