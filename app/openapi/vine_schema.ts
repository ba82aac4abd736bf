import type { Schema } from './schema.ts'

/* Vine validators give JSON Schema (draft 2020-12), which OpenAPI 3.0 does not read. */

export type Source = Record<string, any>

/** OpenAPI 3.0 lacks these keywords, or the validators do not enforce them. */
const OMITTED = new Set(['$schema', '$id', 'examples', 'additionalProperties', 'const'])

const isNullType = (schema: Source) => schema.type === 'null'

/** Requests may have unknown keys, so no key is forbidden. */
export function toOpenApi(source: Source): Schema {
  const schema: Source = {}
  for (const [key, value] of Object.entries(source)) {
    if (!OMITTED.has(key)) schema[key] = value
  }
  if ('const' in source) schema.enum = [source.const]
  if (source.examples) schema.example = source.examples[0]
  convertBoolean(schema)
  convertNull(schema)
  convertBounds(schema)
  return convertChildren(schema)
}

/** A validator also takes the boolean values of forms; JSON has its own. */
function convertBoolean(schema: Source) {
  if (!schema.enum?.includes(true) || !schema.enum.includes(false)) return
  delete schema.enum
  schema.type = 'boolean'
}

/** `null` is a type in JSON Schema and a flag in OpenAPI 3.0. */
function convertNull(schema: Source) {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type: string) => type !== 'null')
    if (types.length < schema.type.length) schema.nullable = true
    schema.type = types[0]
  }
  convertNullChoice(schema)
}

/** The flag replaces a schema that is `null`. */
function convertNullChoice(schema: Source) {
  for (const key of ['anyOf', 'oneOf']) {
    if (!schema[key]?.some(isNullType)) continue
    const others = schema[key].filter((item: Source) => !isNullType(item))
    delete schema[key]
    Object.assign(schema, others.length === 1 ? others[0] : { [key]: others }, { nullable: true })
  }
}

/** An exclusive bound is a number in JSON Schema and a flag beside the bound in OpenAPI 3.0. */
function convertBounds(schema: Source) {
  for (const side of ['Minimum', 'Maximum'] as const) {
    const bound = schema[`exclusive${side}`]
    if (typeof bound !== 'number') continue
    schema[side.toLowerCase()] = bound
    schema[`exclusive${side}`] = true
  }
}

function convertChildren(schema: Source): Schema {
  if (schema.required?.length === 0) delete schema.required
  if (schema.items) schema.items = toOpenApi(schema.items)
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    if (schema[key]) schema[key] = schema[key].map(toOpenApi)
  }
  if (schema.properties) {
    const entries = Object.entries<Source>(schema.properties)
    schema.properties = Object.fromEntries(entries.map(([name, item]) => [name, toOpenApi(item)]))
  }
  return schema
}
