/* What tests and benchmarks read in a page without a browser. */

/** A page that goes on by itself. */
export function refreshOf(html: string) {
  const [, url] = /http-equiv="refresh" content="0; ?url=([^"]*)"/.exec(html) ?? []
  return url && unescape(url)
}

export function attribute(html: string, name: string) {
  const [, value] = new RegExp(`\\b${name}=["']([^"']*)["']`).exec(html) ?? []
  return unescape(value ?? '')
}

const unescape = (text: string) =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x3D;', '=')
