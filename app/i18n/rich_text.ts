import edge from 'edge.js'
import type { I18n } from '@adonisjs/i18n'

/** Only these tags pass, so that a file of an operator cannot add a script or a style. */
const FOREIGN_TAG = /<(?!\/?(?:strong|code|bdi|a)>)/g

/** `<strong>{email}</strong>`, or `<a>…</a>` with the address in `href`; values are escaped (XSS). */
export function richText(i18n: I18n, key: string, values: Record<string, unknown> = {}) {
  const { escape, safe } = edge.globals.html
  const { href, ...others } = values
  const escaped = Object.entries(others).map(([name, value]) => [
    name,
    typeof value === 'string' ? escape(value) : value,
  ])
  const text = i18n.t(key, Object.fromEntries(escaped)).replace(FOREIGN_TAG, '&lt;')
  return safe(href === undefined ? text : text.replace('<a>', `<a href="${escape(String(href))}">`))
}

/** Writes the address of a link in brackets after the link. */
export function untaggedText(i18n: I18n, key: string, values: Record<string, unknown> = {}) {
  const text = i18n.t(key, values)
  const linked = text.replace(/<a>(.*?)<\/a>/g, (_, title) => `${title} (${values.href})`)
  return linked.replace(/<\/?(?:strong|code|bdi)>/g, '')
}
