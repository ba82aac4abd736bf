import { UsageError } from './_exit_codes.ts'

/** The API reduces a larger limit to this one, and scripts would take a part for the whole. */
export async function assertPageLimit(limit: number) {
  const { MAX_LIMIT } = await import('#validators/users')
  if (limit > MAX_LIMIT) throw new UsageError(`--limit must be at most ${MAX_LIMIT}. See --page.`)
}
