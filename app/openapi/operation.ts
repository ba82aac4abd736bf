import type { Refusal, RefusalClass } from '#exceptions/refusal'
import type { Schema } from './schema.ts'

export interface Validator {
  toJSONSchema(): object
  tryValidate(data: unknown): Promise<[{ messages: unknown[] }, null] | [null, unknown]>
}

export interface Answer {
  description: string
  schema: Schema
  /** By default `application/json`. */
  type?: string
  /** By default composed of the examples of the fields. */
  example?: unknown
  /** Descriptions by name. */
  headers?: Record<string, string>
}

export const done: Answer = { description: 'Done', schema: {} }

/**
 * Parameters have no example: the page at `/api-docs` would fill it in and send a value that the
 * user did not choose.
 */
export interface Parameter {
  name: string
  in: 'header' | 'path' | 'query'
  description: string
  required?: boolean
  schema: Schema
}

/**
 * What the route and its validator do not tell. The middleware implies tokens, and refusals by
 * token, body or role.
 */
export interface Operation {
  summary: string
  description?: string
  body?: Validator
  isBodyOptional?: boolean
  /** A body that is not JSON. */
  upload?: { type: string; schema: Schema }
  bodyExample?: unknown
  query?: Validator
  parameters?: Parameter[]
  answers: Record<number, Answer>
  /** What the server sends to an address of the body (OpenAPI 3.0, Callback Object). */
  callbacks?: object
  /** Refusals of only this operation: the class, or an instance with further members. */
  refusals?: (RefusalClass | Refusal)[]
  /** Errors also have the members of RFC 6749. */
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

/** The validator of a body that may be of several kinds, each with its own validator. */
export function anyOf(...validators: Validator[]): Validator {
  return {
    toJSONSchema: () => ({ anyOf: validators.map((validator) => validator.toJSONSchema()) }),
    async tryValidate(body) {
      const results = await Promise.all(validators.map((each) => each.tryValidate(body)))
      return results.find(([refused]) => !refused) ?? results[0]
    },
  }
}
