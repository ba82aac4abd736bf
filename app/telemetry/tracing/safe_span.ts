import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'

/**
 * Libraries also set addresses, queries, statements and messages of errors, which may hold e-mails
 * and tokens. What is not named here stays in the process.
 */
const ATTRIBUTES = new Set([
  'db.operation.name',
  'db.system',
  'db.system.name',
  'error.type',
  'gatehouse.kind',
  'gatehouse.outcome',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'network.protocol.version',
])

/** A name that a library made of a path, a statement or a key is cut to its first word. */
const NAME = /^(?:(?:hash|hash wait|seal|mail|webhook|openid [a-z_]+)$|[A-Z]+ \/[\w/:.*-]*$)/
const FIRST_WORD = /^[\w.-]{1,40}(?::[A-Z]{1,20})?/

/** The same span with nothing else than what may leave the process. */
export function toSafeSpan(span: ReadableSpan): ReadableSpan {
  const kept = Object.entries(span.attributes).filter(([name]) => ATTRIBUTES.has(name))
  return Object.create(span, {
    name: { value: nameOf(span) },
    attributes: { value: Object.fromEntries(kept) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  })
}

function nameOf({ name }: ReadableSpan) {
  return NAME.test(name) ? name : (FIRST_WORD.exec(name)?.[0] ?? 'span')
}
