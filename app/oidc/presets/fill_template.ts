import type { Snippet } from './preset.ts'
import { quote } from './quoting.ts'

export function fill({ text, fields = {}, ...snippet }: Snippet, values: Values): CopiedText {
  const missing = new Set<string>()
  const filled = (template: string) =>
    template.replaceAll(/@(\w+)@/g, (_, name: string) => {
      const quoted = quoteAll(values[name], snippet)
      if (quoted === null) missing.add(nameFor(name))
      return quoted ?? quote(nameFor(name), snippet.format)!
    })
  const { file, place, format } = snippet
  const shown = Object.entries(fields).map(([label, value]) => ({ label, value: filled(value) }))
  const whole = text === undefined ? null : filled(text).trimEnd()
  return { file, place, format, text: whole, fields: shown, missing: [...missing] }
}

function quoteAll(value: Value, { format, cannotHold }: Omit<Snippet, 'text' | 'fields'>) {
  const quoted = [value].flat().map((each) => quote(each, format, cannotHold))
  return quoted.includes(null) ? null : quoted.join(', ')
}

export type Value = string | string[]

export type Values = Record<string, Value>

/** `clientSecret` is shown as CLIENT_SECRET. */
export function nameFor(value: string) {
  return value.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}

export interface CopiedText extends Pick<Snippet, 'file' | 'place' | 'format'> {
  text: string | null
  fields: { label: string; value: string }[]
  /** Values that this format cannot hold. The text contains their names instead. */
  missing: string[]
}
