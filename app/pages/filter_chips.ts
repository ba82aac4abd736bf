import type { I18n } from '@adonisjs/i18n'

export interface FilterField {
  /** The message key of the field's label. */
  label: string
  /** The texts of its values, if the field is a choice. */
  options?: { value: string; text: string }[]
}

export interface FilterChip {
  label: string
  value: string
  /** The list without this filter. */
  path: string
}

/** Returns the filters set behind “Filters”, each with the path of the list without it. */
export function filterChips(
  i18n: I18n,
  fields: Record<string, FilterField>,
  { values, without }: { values: Record<string, unknown>; without: (name: string) => string }
): FilterChip[] {
  return Object.entries(fields)
    .filter(([name]) => values[name])
    .map(([name, { label, options }]) => {
      const value = String(values[name])
      const text = options?.find((option) => option.value === value)?.text
      return { label: i18n.t(label), value: text ?? value.replace('T', ' '), path: without(name) }
    })
}
