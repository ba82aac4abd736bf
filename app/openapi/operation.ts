import type { Refusal, RefusalClass } from '#exceptions/refusal'
import type { Schema } from './schema.ts'

/** The methods of a Vine validator that the document needs. */
export interface Validator {
  toJSONSchema(): object
  tryValidate(data: unknown): Promise<[{ messages: unknown[] }, null] | [null, unknown]>
}

export interface Answer {
  description: string
  schema: Schema
  /** `application/json` unless named. */
  type?: string
  /** Composed of the examples of the fields unless given. */
  example?: unknown
  /** Descriptions of the response headers, by name. */
  headers?: Record<string, string>
}

/** Without an example: the page at `/api-docs` would fill it in, and send what nobody chose. */
export interface Parameter {
  name: string
  in: 'header' | 'path' | 'query'
  description: string
  required?: boolean
  schema: Schema
}

/**
 * The part of the description that the route and its validator do not contain. Whether a
 * token is needed, and the refusals that follow from a token, a body or a role, are read
 * from the route's middleware.
 */
export interface Operation {
  summary: string
  description?: string
  body?: Validator
  /** Whether the request may come without its body. */
  isBodyOptional?: boolean
  /** A body that is not JSON. */
  upload?: { type: string; schema: Schema }
  /** Composed of the examples of the fields unless given. */
  bodyExample?: unknown
  query?: Validator
  parameters?: Parameter[]
  answers: Record<number, Answer>
  /** Refusals of this operation alone: the class, or an instance with further members. */
  refusals?: (RefusalClass | Refusal)[]
  /** Whether errors have the members of RFC 6749, too. */
  isOAuth?: boolean
}

/** Operations by method and route pattern, such as `GET /users/:id`. */
export type Operations = Record<string, Operation>

export interface Tag {
  name: string
  description: string
  operations: Operations
}

export interface TaggedOperation {
  tag: string
  operation: Operation
}
