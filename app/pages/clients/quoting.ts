/*
 | Values in the settings of applications. An address of a client is an administrator's, but may
 | be another one's than the reader's: what is copied must not run.
 */

/** Within single quotes of a POSIX shell. */
export function shell(value: string) {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** A string of Ruby without interpolation. */
export function ruby(value: string) {
  return `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

/** A string of TOML, JavaScript and JSON. */
export function json(value: string) {
  return JSON.stringify(value)
}

/** A string of Kotlin, in which `$` would begin a template. */
export function kotlin(value: string) {
  return JSON.stringify(value).replaceAll('$', String.raw`\$`)
}

/** A value of an INI file: one line, in which neither `;` nor `#` begins a comment. */
export function ini(value: string) {
  return /[;#`"\n]/.test(value) ? JSON.stringify(value) : value
}
