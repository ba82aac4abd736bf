/** OpenAPI 3.0. */
export interface Schema {
  $ref?: string
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  format?: string
  nullable?: boolean
  enum?: readonly unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  description?: string
  default?: unknown
  example?: unknown
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** Compiles only while the schema has exactly the fields of the type. */
export function record<T>(
  properties: Record<keyof T & string, Schema>,
  optional: (keyof T & string)[] = []
): Schema {
  const names = Object.keys(properties) as (keyof T & string)[]
  const required = names.filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
