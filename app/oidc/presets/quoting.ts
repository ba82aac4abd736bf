/*
 | Quotes values in settings to copy. An administrator, or an application that brings its secret,
 | may have put code into a value.
 */

/** @returns null for a value that the format cannot hold */
type Quote = (value: string) => string | null

const json: Quote = (value) => JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`)

/** A string of Ruby or PHP without interpolation. */
const single: Quote = (value) => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const SAFE_IN_INI = /^[\w./:@+~-]+( [\w./:@+~-]+)*$/

/** Grafana expands `%(name)s`, `${NAME}` and `$__file{name}` even between quotes. */
const ini: Quote = (value) => {
  if (SAFE_IN_INI.test(value)) return value
  return /[`\r\n]|%\(|\$[{_]/.test(value) ? null : `\`${value}\``
}

const QUOTES = {
  json,
  yaml: json,
  toml: json,
  python: json,
  javascript: json,
  csharp: json,
  ruby: single,
  php: single,
  ini,
  /** In Kotlin `$` begins a template. */
  kotlin: (value) => json(value)!.replaceAll('$', String.raw`\$`),
  /** Single quotes of a POSIX shell, which systemd reads in the same way. */
  shell: (value) => `'${value.replaceAll("'", String.raw`'\''`)}'`,
  /** Laravel expands `$` between double quotes. */
  dotenv: (value) => `"${value.replaceAll(/["\\$]/g, String.raw`\$&`)}"`,
  /** The files of Next.js have no escape that every reader knows. */
  plain_env: (value) => (/["'\\$`#\s]/.test(value) ? null : value),
  /** Apache expands `${NAME}` of a Define, and `%{…}` in some directives. */
  apache: (value) =>
    /[$%]\{/.test(value) ? null : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  fields: (value) => (/[\r\n]/.test(value) ? null : value),
} satisfies Record<string, Quote>

export type Format = keyof typeof QUOTES

export function quote(value: string, format: Format, cannotHold = '') {
  if ([...cannotHold].some((character) => value.includes(character))) return null
  return (QUOTES[format] as Quote)(value)
}
