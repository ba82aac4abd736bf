import { BY_FORMAT, EXAMPLES } from './examples.ts'
import type { Schema } from './schema.ts'

type Components = Record<string, Schema>

export function exampleOf(schema: Schema, components: Components, name = ''): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.split('/').at(-1)!], components, name)
  if (schema.example !== undefined) return schema.example
  if (schema.properties) return exampleOfObject(schema.properties, components)
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, components, name)]
  if (schema.enum) return schema.enum[0]
  if (name in EXAMPLES) return EXAMPLES[name]
  return exampleOfType(schema)
}

function exampleOfObject(properties: Record<string, Schema>, components: Components) {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, exampleOf(schema, components, name)])
  )
}

function exampleOfType({ type, format, nullable, minimum }: Schema): unknown {
  if (format && format in BY_FORMAT) return BY_FORMAT[format]
  if (nullable) return null
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return type === 'string' ? 'text' : (minimum ?? 1)
}
