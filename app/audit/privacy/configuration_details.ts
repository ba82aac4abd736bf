import { isStructured, type Split } from './readable_details.ts'

/**
 * A user may have chosen the name of a group at the provider, such as `acme:staff`: only these
 * names are personal. In lists, `acme:…` replaces each of them.
 */
export function splitConfiguration(details: object = {}): Split {
  const [readable, personal]: Record<string, unknown>[] = [{ ...details }, {}]
  const { group, allowedGroups } = readable
  if (namesProvider(group)) {
    personal.group = group
    delete readable.group
  }
  if (namesProvider(allowedGroups)) {
    personal.allowedGroups = allowedGroups
    readable.allowedGroups = shortened(allowedGroups)
  }
  return { readable, personal }
}

function namesProvider(value: unknown) {
  return JSON.stringify(value) !== JSON.stringify(shortened(value))
}

/** Shortens the name, or each name of a list, before and after a change. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/:.*/s, ':…')
  if (Array.isArray(value)) return value.map(shortened)
  if (!isStructured(value)) return value
  const pairs = Object.entries(value).map(([field, each]) => [field, shortened(each)])
  return Object.fromEntries(pairs)
}
