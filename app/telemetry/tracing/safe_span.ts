import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'

/**
 * Libraries also set addresses, queries, statements and messages of errors, which may hold e-mails
 * and tokens. Attributes that are not named here stay in the process.
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

/** A name that a library made of a path or a key is cut to its first word. */
const NAME = /^(?:(?:hash|hash wait|seal|mail|webhook|openid [a-z_]+)$|[A-Z]+ \/[\w/:.*?-]*$)/
const FIRST_WORD = /^[A-Za-z][\w.-]{1,40}(?=$| )/

const OPERATION = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|SET)\b/i

/** Returns the span with only the parts that may leave the process. */
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

function nameOf({ name, attributes }: ReadableSpan) {
  const statement = attributes['db.query.text'] ?? attributes['db.statement']
  if (name.startsWith('pg.query')) return `pg.query${operationOf(String(statement))}`
  return NAME.test(name) ? name : (FIRST_WORD.exec(name)?.[0] ?? 'span')
}

/** Reads the statement: the library would use the name of a prepared one, which is a hash. */
function operationOf(statement: string) {
  const [, operation] = OPERATION.exec(statement) ?? []
  return operation ? `:${operation.toUpperCase()}` : ''
}
