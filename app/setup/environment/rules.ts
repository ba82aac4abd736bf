/*
 | Rules for environment variables. Each takes the name and the raw value, and returns the
 | value that the configuration uses or throws one line with the fault and its remedy. No
 | message repeats a value: it may be a secret that was put into the wrong variable.
 */

export type Rule<T> = (name: string, value?: string) => T

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function isMissing(value?: string): value is undefined | '' {
  return value === undefined || value.trim() === ''
}

/** A duration such as `15m`, `7d` or `900s`, in milliseconds. A bare `0` is allowed where `min` is 0. */
export function duration(fallback: string, { min = 1 } = {}): Rule<number> {
  return (name, value) => {
    const input = isMissing(value) ? fallback : value.trim()
    const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(input) ?? []
    const milliseconds = Number(amount) * UNITS[unit as keyof typeof UNITS]
    if (Number.isNaN(milliseconds)) {
      throw new Error(`${name} must be a duration such as 900s, 15m, 12h or 7d`)
    }
    if (milliseconds < min) throw new Error(`${name} must be at least ${readable(min)}`)
    return milliseconds
  }
}

function readable(milliseconds: number) {
  const [unit, size] = Object.entries(UNITS)
    .toReversed()
    .find(([, each]) => milliseconds % each === 0)!
  return `${milliseconds / size}${unit}`
}

/** A duration, or `off`, the default, which is null. */
export function durationOrOff({ min = 1 } = {}): Rule<number | null> {
  return (name, value) => {
    if (isMissing(value) || /^off$/i.test(value.trim())) return null
    return duration('', { min })(name, value)
  }
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

export function choice<const T extends string>(...choices: T[]): Rule<T> {
  return (name, value) => {
    const chosen = isMissing(value) ? choices[0] : (value.trim() as T)
    if (!choices.includes(chosen)) throw new Error(`${name} must be one of ${choices.join(', ')}`)
    return chosen
  }
}

/** `true` or `false`; `on`, `off`, `1` and `0` are understood too. */
export function flag(fallback: boolean): Rule<boolean> {
  return (name, value) => {
    if (isMissing(value)) return fallback
    if (/^(true|on|1)$/i.test(value)) return true
    if (/^(false|off|0)$/i.test(value)) return false
    throw new Error(`${name} must be true or false`)
  }
}

/** Any text, or the default when the variable is missing or empty. */
export function text<T extends string | undefined = undefined>(fallback?: T): Rule<string | T> {
  return (_, value) => (isMissing(value) ? (fallback as T) : value)
}

/** A comma-separated list; blanks around the items are removed. */
export function list(pattern?: RegExp, remedy = ''): Rule<string[]> {
  return (name, value) => {
    const items = (value ?? '').split(',').map((item) => item.trim())
    const present = items.filter((item) => item !== '')
    if (pattern && present.some((item) => !pattern.test(item))) throw new Error(`${name} ${remedy}`)
    return present
  }
}
