/* Quotes copied settings: another administrator may have put code into the address of a client. */

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

/** One line of an INI file, in which neither `;` nor `#` begins a comment. */
export function ini(value: string) {
  return /[;#`"\n]/.test(value) ? JSON.stringify(value) : value
}
