import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { ApiClient, type ApiResponse } from '@japa/api-client'
import { canonicalPath } from '#http/server'
import { apiDocument, type ApiDocument } from '#openapi/document'
import type { Schema } from '#openapi/schema'

/*
 | Every API response in a test is compared with the OpenAPI document. Its status, its code and
 | each of its fields must be described there, and it has no other fields.
 */

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Validators are compiled one time for each response of the document. */
const validators = new WeakMap<object, ValidateFunction>()

const WHERE = 'describe it in app/openapi/operations'

interface Exchange {
  method: string
  /** The requested path, with or without a query. */
  path: string
  versionHeader?: string
  status: number
  type: string
  body: any
}

/** Returns the first part of a response that the document does not describe, or null. */
export async function findBreach(exchange: Exchange): Promise<string | null> {
  const document = await apiDocument()
  const path = canonicalPath(exchange.path, exchange.versionHeader).split('?')[0]
  const pattern = findPattern(document, path, exchange.method)
  if (!pattern) return null
  const operation = document.paths[pattern][exchange.method.toLowerCase()]
  const name = `${exchange.method} ${pattern}`
  const response = operation.responses[exchange.status]
  if (!response) return `${name} answered ${exchange.status}: ${WHERE}`
  const content = response.content?.[exchange.type]
  if (!content) return mayBeBare(exchange) ? null : wrongType(name, exchange)
  if (exchange.type !== 'application/json') return null
  return findUnknownCode(name, content, exchange) ?? findFault(name, document, content, exchange)
}

const PROBLEM = 'application/problem+json'

/** A response without a body, such as 304, has no type. */
function mayBeBare({ type, body }: Exchange) {
  return type === PROBLEM || !type || !body
}

function wrongType(name: string, { status, type }: Exchange) {
  return `${name} answered ${status} as ${type}: ${WHERE}`
}

const matchers = new Map<string, RegExp>()

function matcherOf(pattern: string) {
  const matcher = matchers.get(pattern) ?? new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}/?$`)
  matchers.set(pattern, matcher)
  return matcher
}

/** Returns the path of the document that matches a request. One without parameters goes first. */
function findPattern(document: ApiDocument, path: string, method: string) {
  const candidates = Object.keys(document.paths).filter(
    (pattern) => matcherOf(pattern).test(path) && method.toLowerCase() in document.paths[pattern]
  )
  return candidates.find((pattern) => !pattern.includes('{')) ?? candidates[0]
}

function findUnknownCode(name: string, content: any, { status, body }: Exchange) {
  if (!body?.code || !body.requestId || body.code in (content.examples ?? {})) return null
  return `${name} answered ${status} ${body.code}: ${WHERE}`
}

function findFault(name: string, document: ApiDocument, content: any, { status, body }: Exchange) {
  const validate = validators.get(content) ?? ajv.compile(closed(content.schema, document))
  validators.set(content, validate)
  if (validate(body)) return null
  const faults = ajv.errorsText(validate.errors, { dataVar: 'body' })
  return `${name} answered ${status} with another body: ${faults}. Correct app/openapi/schemas.ts`
}

/** Returns the schema without references, in which objects have no fields but the named ones. */
export function closed(schema: Schema, document: ApiDocument): object {
  if (schema.$ref) {
    return closed(document.components.schemas[schema.$ref.split('/').at(-1)!], document)
  }
  const { items, properties, anyOf } = schema
  const entries = Object.entries(properties ?? {})
  return {
    ...schema,
    ...(items && { items: closed(items, document) }),
    ...(anyOf && { anyOf: anyOf.map((item) => closed(item, document)) }),
    ...(properties && {
      properties: Object.fromEntries(entries.map(([key, item]) => [key, closed(item, document)])),
      additionalProperties: schema.additionalProperties ?? false,
    }),
  }
}

/** Fails a test whose request had a response that the document does not describe. */
export function assertContractOfAnswers() {
  ApiClient.teardown(async (response: ApiResponse) => {
    const { req } = response.response as any
    const breach = await findBreach({
      method: req.method,
      path: req.path,
      versionHeader: req.getHeader('x-api-version'),
      status: response.status(),
      type: response.type(),
      body: response.body(),
    })
    if (breach) throw new Error(breach)
  })
}
