import type { Refusal, RefusalClass } from '#exceptions/refusal'
import type { Schema } from './schema.ts'

/** What the document needs of a Vine validator. */
export interface Validator {
  toJSONSchema(): object
  tryValidate(data: unknown): Promise<[{ messages: unknown[] }, null] | [null, unknown]>
}

export interface Answer {
  description: string
  schema: Schema
  /** `application/json` unless named. */
  type?: string
  /** Put together from the fields unless given. */
  example?: unknown
  /** Headers of the answer and what they tell. */
  headers?: Record<string, string>
}

export interface Parameter {
  name: string
  in: 'header' | 'path' | 'query'
  description: string
  required?: boolean
  schema: Schema
  example?: unknown
}

/**
 * What cannot be read from the route and its validator. Whether a token is needed, and
 * the refusals that come with a token, a body or a role, follow from the route's middleware.
 */
export interface Operation {
  summary: string
  description?: string
  body?: Validator
  /** Whether the request may come without its body. */
  isBodyOptional?: boolean
  /** A body that is not JSON. */
  upload?: { type: string; schema: Schema }
  /** Put together from the fields unless given. */
  bodyExample?: unknown
  query?: Validator
  parameters?: Parameter[]
  answers: Record<number, Answer>
  /** Refusals of this operation's own: the class, or an instance with further members. */
  refusals?: (RefusalClass | Refusal)[]
}

/** Operations by method and path as the router knows them, such as `GET /users/:id`. */
export type Operations = Record<string, Operation>

export interface Tag {
  name: string
  description: string
  operations: Operations
}
