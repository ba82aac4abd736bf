import limits from '#config/limits'
import { invalidField } from './http_errors.ts'

/** A numbered page reads all rows that it skips, while SQLite blocks other requests. */
export function isDeep(offset: number) {
  return offset >= limits.pageDepth
}

/**
 * @param total the count, at least one above the limit where there are more entries
 * @param instead what continues the list at the same cost
 * @throws a validation error for a list that is longer than its pages reach
 */
export function assertEndsBefore(total: number, instead: string) {
  if (total <= limits.pageDepth) return
  const message = `The page field must not skip ${limits.pageDepth} entries or more: use ${instead} instead`
  throw invalidField('page', 'max', message)
}
