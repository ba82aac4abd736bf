import { sentence } from '#i18n/sentences'
import { secretFileSettings } from './secret_files.ts'

type Environment = Record<string, string | undefined>

/** Shorter names resemble too many variables of other programs. */
const SHORTEST_WITH_TWO_ERRORS = 8

const MOST_ERRORS = 2

/** Variables of the system and of other programs that resemble a setting by chance. */
const FOREIGN = new Set(['HOSTNAME', 'POST', 'PORTS'])

export function findMisspelt(values: Environment, settings: Iterable<string>) {
  const known = new Set(settings)
  return Object.keys(values)
    .filter((name) => values[name] && !known.has(name) && !FOREIGN.has(name))
    .flatMap((name) => {
      const meant = [...known].find((setting) => resembles(name.toUpperCase(), setting))
      return meant ? [sentence('settings.misspelt', { name, meant })] : []
    })
}

export function findOtherFiles(values: Environment, settings: string[]) {
  const secrets = new Set(secretFileSettings(values))
  return settings
    .filter((name) => values[`${name}_FILE`] && !secrets.has(`${name}_FILE`))
    .map((name) => sentence('settings.no_file', { name }))
}

function resembles(name: string, setting: string) {
  if (name === setting || isOtherEnding(name, setting)) return true
  const allowed = setting.length < SHORTEST_WITH_TWO_ERRORS ? 1 : MOST_ERRORS
  return distance(name, setting) <= allowed
}

/** `SMTP_USER` for `SMTP_USERNAME`, `DB_USERNAME` for `DB_USER`. */
function isOtherEnding(name: string, setting: string) {
  const [short, long] = name.length < setting.length ? [name, setting] : [setting, name]
  return (
    long.startsWith(short) &&
    /^[A-Z]+_[A-Z_]{4,}$/.test(short) &&
    /^[A-Z]+$/.test(long.slice(short.length))
  )
}

/** Counting stops after two errors, because a name with more errors means something else. */
export function distance(one: string, other: string) {
  if (Math.abs(one.length - other.length) > MOST_ERRORS) return Number.POSITIVE_INFINITY
  let [before, previous] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const cost = one[row - 1] === other[at - 1] ? 0 : 1
      const isExchanged = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      const exchanged = isExchanged ? before[at - 2] + 1 : Number.POSITIVE_INFINITY
      const edited = Math.min(previous[at] + 1, current[at - 1] + 1, previous[at - 1] + cost)
      current.push(Math.min(edited, exchanged))
    }
    if (Math.min(...current) > MOST_ERRORS && Math.min(...previous) >= MOST_ERRORS) {
      return Number.POSITIVE_INFINITY
    }
    ;[before, previous] = [previous, current]
  }
  return previous[other.length]
}
