import { STATUS_CODES } from 'node:http'
import {
  E_BAD_REQUEST,
  E_FORBIDDEN,
  E_FORM_EXPIRED,
  E_NOT_FOUND,
  E_UNAVAILABLE,
} from './http_errors.ts'
import { Refusal, type RefusalClass } from './refusal.ts'
import { isDependencyDown } from './dependency_failures.ts'

interface FieldError {
  field: string
  rule: string
  message: string
}

/** Everything else about an error stays in the log. */
export interface Problem {
  status: number
  code: string
  message: string
  headers: Record<string, string>
  members: Record<string, unknown>
  errors?: FieldError[]
}

const INTERNAL: Problem = {
  status: 500,
  code: 'E_INTERNAL',
  message: 'Internal server error',
  headers: {},
  members: {},
}

const FRAMEWORK_ERRORS = new Map<string, RefusalClass>([
  ['E_BAD_CSRF_TOKEN', E_FORM_EXPIRED],
  ['E_AUTHORIZATION_FAILURE', E_FORBIDDEN],
  ['E_ROUTE_NOT_FOUND', E_NOT_FOUND],
  ['E_ROW_NOT_FOUND', E_NOT_FOUND],
])

/** SQLSTATE of Postgres for text with NUL or an incomplete character. */
const NOT_STORABLE = new Set(['22021', '22P05'])

/** An unexpected error becomes a 500 that reveals nothing. */
export function toProblem(error: any): Problem {
  if (error instanceof Refusal) return refused(error)
  const Known = FRAMEWORK_ERRORS.get(error?.code)
  if (Known) return refused(new Known())
  if (error?.code === 'E_VALIDATION_ERROR') return invalidRequest(error.messages)
  if (error instanceof URIError || error?.status === 400 || NOT_STORABLE.has(error?.code))
    return refused(new E_BAD_REQUEST())
  if (isDependencyDown(error)) return refused(new E_UNAVAILABLE().retryAfter(1))
  return INTERNAL
}

function refused({ status, code, message, headers, members }: Refusal): Problem {
  return { status, code: code!, message, headers, members }
}

/** A small request with thousands of wrong items would get an answer of a megabyte. */
const MAX_ERRORS = 100

function invalidRequest(messages: FieldError[]): Problem {
  const errors = messages
    .slice(0, MAX_ERRORS)
    .map(({ field, rule, message }) => ({ field, rule, message }))
  const { status, message } = new E_BAD_REQUEST()
  return { status, code: 'E_VALIDATION_ERROR', message, headers: {}, members: {}, errors }
}

export function errorBody(problem: Problem, requestId?: string) {
  return {
    statusCode: problem.status,
    error: STATUS_CODES[problem.status],
    message: problem.message,
    code: problem.code,
    requestId,
    ...problem.members,
    ...(problem.errors && { errors: problem.errors }),
  }
}
