import type { Row } from './archive/entry_rows.ts'

export interface BackupCounts {
  users: number
  admins: number
  apiKeys: number
  clientSecrets: number
  secondFactors: number
  passkeys: number
}

type CountRule = [count: keyof BackupCounts, table: string, isCounted?: (row: Row) => boolean]

const COUNT_RULES: CountRule[] = [
  ['users', 'users'],
  ['admins', 'users', ({ role }) => role === 'Admin'],
  ['secondFactors', 'users', ({ mfa_secret: secret }) => Boolean(secret)],
  ['apiKeys', 'api_keys'],
  ['clientSecrets', 'oauth_clients', hasOwnSecret],
  ['passkeys', 'passkeys'],
]

/** A key set counts too, because it may have been replaced since the backup. */
function hasOwnSecret({ secret_hash: hash, secret_digest: digest, jwks }: Row) {
  return Boolean(hash || digest || jwks)
}

/** Counts what may be used again after a restore. */
export class Tally {
  readonly counts: BackupCounts = {
    users: 0,
    admins: 0,
    apiKeys: 0,
    clientSecrets: 0,
    secondFactors: 0,
    passkeys: 0,
  }

  add(table: string, rows: Row[]) {
    for (const [count, of, isCounted = () => true] of COUNT_RULES) {
      if (of === table) this.counts[count] += rows.filter(isCounted).length
    }
  }
}
