import { UsageError } from './_exit_codes.ts'

const MAX_LIMIT = 100

/** The API answers a larger limit with this one, and scripts would take a part for the whole. */
export function assertPageLimit(limit: number) {
  if (limit > MAX_LIMIT) throw new UsageError(`--limit must be at most ${MAX_LIMIT}. See --page.`)
}
