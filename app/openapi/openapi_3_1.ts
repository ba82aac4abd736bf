import { describeWebhooks } from './webhooks.ts'
import type { ApiDocument } from './document.ts'

/*
 | The schemas of OpenAPI 3.1 are JSON Schema (draft 2020-12): `null` is a type, an exclusive bound
 | is a number, and `examples` is a member.
 */

type Node = Record<string, any>

/** A member named `schema` in these values is not a schema. */
const VALUES = new Set(['example', 'examples', 'default', 'enum'])

export function toOpenApi31({ components, ...document }: ApiDocument): ApiDocument {
  const { schemas, ...others } = components
  const converted = { ...others, schemas: mapValues(schemas, convertSchema) }
  const own = { openapi: '3.1.0', components: converted, webhooks: describeWebhooks() }
  return { ...(convertNode(document) as ApiDocument), ...own }
}

function convertNode(node: Node): Node {
  const entries = Object.entries(node).map(([key, value]) => {
    if (VALUES.has(key) || typeof value !== 'object' || value === null) return [key, value]
    if (Array.isArray(value)) return [key, value.map(convertItem)]
    return [key, key === 'schema' ? convertSchema(value) : convertNode(value)]
  })
  return Object.fromEntries(entries)
}

function convertItem(item: unknown) {
  return typeof item === 'object' && item !== null ? convertNode(item) : item
}

function convertSchema({ nullable, example, ...source }: Node): Node {
  const schema = convertBounds({ ...source, ...(example !== undefined && { examples: [example] }) })
  if (schema.items) schema.items = convertSchema(schema.items)
  if (schema.properties) schema.properties = mapValues(schema.properties, convertSchema)
  for (const key of ['anyOf', 'allOf'])
    if (schema[key]) schema[key] = schema[key].map(convertSchema)
  if (typeof schema.additionalProperties === 'object') {
    schema.additionalProperties = convertSchema(schema.additionalProperties)
  }
  return nullable ? orNull(schema) : schema
}

function convertBounds(schema: Node) {
  for (const side of ['Minimum', 'Maximum']) {
    const bound = side.toLowerCase()
    if (schema[`exclusive${side}`] !== true) continue
    schema[`exclusive${side}`] = schema[bound]
    delete schema[bound]
  }
  return schema
}

function orNull(schema: Node): Node {
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if (schema.type) return { ...schema, type: [schema.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

function mapValues(values: Node, convert: (value: Node) => Node) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)]))
}
