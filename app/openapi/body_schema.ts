import type { Schema } from './schema.ts'
import { type Source, toOpenApi } from './vine_schema.ts'

/** A field that may be left out may be `null` as well. */
export function toBodySchema(source: Source): Schema {
  return acceptNull(toOpenApi(source))
}

function acceptNull(schema: Schema): Schema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(acceptNull) }
  if (!schema.properties) return schema
  const { required = [] } = schema
  const entries = Object.entries(schema.properties).map(([name, item]) => {
    const field = acceptNull(item)
    return [name, required.includes(name) ? field : orNull(field)]
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}

/** OpenAPI 3.0 applies `nullable` only beside a type, and `null` has to be among the values. */
function orNull({ enum: values, ...schema }: Schema): Schema {
  if (schema.anyOf?.some(({ nullable }) => nullable)) return schema
  if (!values) return { ...schema, nullable: true }
  return { type: 'string', ...schema, nullable: true, enum: [...new Set([...values, null])] }
}
