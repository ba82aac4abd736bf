import limits from '#config/limits'

/** Returns origin and path, because a query or a password in an address may be a secret. */
export function redactAddress(address: unknown) {
  if (typeof address !== 'string') return null
  const url = URL.parse(address)
  if (!url) return printable(address.split(/[?#]/, 1)[0].replace(/\/\/[^/]*@/, '//'))
  const host = url.host ? `//${url.host}` : ''
  return printable(`${url.protocol}${host}${url.pathname}`)
}

/** Replaces other characters, which could reverse the text or look like ASCII (Unicode TR 36). */
export function printable(text: unknown) {
  if (typeof text !== 'string') return null
  const start = text.slice(0, limits.refusals.sent)
  return start.replaceAll(/[^\x20-\x7e]/g, '?').trim() || null
}
