/* Helpers for tests and benchmarks that read pages without a browser. */

/** Returns the address to which a page redirects by itself. */
export function refreshOf(html: string) {
  const [, url] = /http-equiv="refresh" content="0; ?url=([^"]*)"/.exec(html) ?? []
  return url && unescape(url)
}

export function attribute(html: string, name: string) {
  const [, value] = new RegExp(`\\b${name}=["']([^"']*)["']`).exec(html) ?? []
  return unescape(value ?? '')
}

/** Returns the hidden fields of a page's forms, without the CSRF token. */
export function hiddenFields(html: string) {
  const inputs = html.match(/<input[^>]*type=["']hidden["'][^>]*>/g) ?? []
  const fields = inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  return Object.fromEntries(fields.filter(([name]) => name !== '_csrf')) as Record<string, string>
}

/** Returns what the form with this id sends, and where. */
export function formById(html: string, id: string) {
  const [form] = new RegExp(`<form id="${id}"[\\s\\S]*?</form>`).exec(html) ?? []
  if (!form) throw new Error(`No form ${id} in ${html}`)
  const inputs = form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []
  const given = inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  const fields: Record<string, string> = Object.fromEntries(given)
  return { action: attribute(form, 'action'), fields }
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x2F;': '/',
  '&#x3D;': '=',
  '&#x60;': '`',
}

export const unescape = (text: string) =>
  text.replaceAll(/&(?:#x[0-9A-F]{2}|[a-z]+);/g, (entity) => ENTITIES[entity] ?? entity)
