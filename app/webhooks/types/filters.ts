import { PUBLIC_TYPES } from './public_types.ts'

/* A filter is a type, all types of a subject (`user.*`), or everything (`*`). */

const subjectOf = (type: string) => `${type.split('.')[0]}.*`

export const FILTERS = [...new Set(['*', ...PUBLIC_TYPES.map(subjectOf), ...PUBLIC_TYPES])]

export function isFilter(text: string) {
  return FILTERS.includes(text)
}

export function matchesFilter(type: string, filters: readonly string[]) {
  return ['*', subjectOf(type), type].some((filter) => filters.includes(filter))
}
