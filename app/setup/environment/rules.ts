import { formatDuration, parseDuration } from './duration.ts'

// A rule returns a value or throws a line with a remedy. No line repeats a secret value.

export interface Rule<T> {
  (name: string, value?: string): T
  /** Formats the value as in the environment, if it is not a text, a number or a switch. */
  format?: (value: T) => string
}

export function isMissing(value?: string): value is undefined | '' {
  return value === undefined || value.trim() === ''
}

/** @returns milliseconds; a bare `0` is allowed where `min` is 0 */
export function duration(fallback: string, { min = 1 } = {}): Rule<number> {
  const rule: Rule<number> = (name, value) => {
    const input = isMissing(value) ? fallback : value.trim()
    const milliseconds = parseDuration(input)
    if (milliseconds === null) {
      throw new Error(`${name} must be a duration such as 900s, 15m, 12h or 7d`)
    }
    if (milliseconds < min) throw new Error(`${name} must be at least ${formatDuration(min)}`)
    return milliseconds
  }
  return Object.assign(rule, { format: formatDuration })
}

/** The default is `off`, which the rule returns as null. */
export function durationOrOff({ min = 1 } = {}): Rule<number | null> {
  const rule: Rule<number | null> = (name, value) => {
    if (isMissing(value) || /^off$/i.test(value.trim())) return null
    return duration('', { min })(name, value)
  }
  return Object.assign(rule, {
    format: (value: number | null) => (value === null ? 'off' : formatDuration(value)),
  })
}

export function integer(fallback: number, { min = 0, max = 1_000_000 } = {}): Rule<number> {
  return (name, value) => {
    const number = isMissing(value) ? fallback : Number(value)
    if (!Number.isInteger(number) || number < min || number > max) {
      throw new Error(`${name} must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** The first choice is the default. */
export function choice<const T extends string>(...choices: T[]): Rule<T> {
  return (name, value) => {
    const chosen = isMissing(value) ? choices[0] : (value.trim() as T)
    if (!choices.includes(chosen)) throw new Error(`${name} must be one of ${choices.join(', ')}`)
    return chosen
  }
}

export function flag(fallback: boolean): Rule<boolean> {
  return (name, value) => {
    if (isMissing(value)) return fallback
    if (/^(true|on|1)$/i.test(value)) return true
    if (/^(false|off|0)$/i.test(value)) return false
    throw new Error(`${name} must be true or false`)
  }
}

export function text<T extends string | undefined = undefined>(fallback?: T): Rule<string | T> {
  return (_, value) => (isMissing(value) ? (fallback as T) : value)
}

export function list(pattern?: RegExp, remedy = ''): Rule<string[]> {
  return (name, value) => {
    const items = (value ?? '').split(',').map((item) => item.trim())
    const present = items.filter((item) => item !== '')
    if (pattern && present.some((item) => !pattern.test(item))) throw new Error(`${name} ${remedy}`)
    return present
  }
}
