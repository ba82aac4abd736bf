import { E_TOKEN_REVOKED, E_UNAUTHORIZED } from '#auth/errors'
import {
  E_BAD_REQUEST,
  E_FORBIDDEN,
  E_PAYLOAD_TOO_LARGE,
  E_UNAVAILABLE,
  E_UNSUPPORTED_MEDIA_TYPE,
  E_UNSUPPORTED_VERSION,
} from '#exceptions/http_errors'
import { appUrl } from '#config/app'
import { toProblem, type Problem } from '#exceptions/problem'
import {
  describeAnswer,
  describeBare,
  describeProblems,
  mergeAnswers,
  problemOf,
} from './responses.ts'
import { exampleOf } from './examples.ts'
import { tags } from './operations/index.ts'
import { pathParameters, queryParameters, versionHeader } from './parameters.ts'
import { records } from './schemas/index.ts'
import { apiRoutes, type ApiRoute } from './routes.ts'
import { ref, toOpenApi, type Schema } from './schema.ts'
import type { Operation, Parameter, Validator } from './operation.ts'
import type { RefusalClass } from '#exceptions/refusal'

/*
 | Generates the description of the API from the routes of the router, the validators of
 | the request bodies, the schemas of the records, and the tables in `operations/`.
 */

export interface ApiDocument {
  openapi: string
  paths: Record<string, Record<string, any>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> }
  [member: string]: unknown
}

const INTRODUCTION = `Accounts, logins, sessions and their administration.

Log in with \`POST /auth/login\`, then send \`Authorization: Bearer <accessToken>\`. Every path also
answers below \`/api\` and \`/api/v1\`. Errors have one shape; \`Accept: application/problem+json\` gets
them as RFC 9457 has them. Times are ISO 8601 in UTC.`

let cached: Promise<ApiDocument> | undefined

/** The document, assembled at the first call. */
export function apiDocument() {
  return (cached ??= assemble())
}

async function assemble(): Promise<ApiDocument> {
  const schemas = { ...records }
  const paths: ApiDocument['paths'] = {}
  for (const route of apiRoutes()) {
    const found = findOperation(route.key)
    if (!found) continue
    const path = route.pattern.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = await describe(route, found, schemas)
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Gatehouse API documentation', version: '1.0', description: INTRODUCTION },
    servers: [{ url: new URL(appUrl).pathname }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes: { bearer: BEARER } },
  }
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The `accessToken` of a login.',
}

const SECURITY = { required: [{ bearer: [] }], optional: [{}, { bearer: [] }], none: [] }

interface TaggedOperation {
  tag: string
  operation: Operation
}

function findOperation(key: string): TaggedOperation | undefined {
  const tag = tags.find(({ operations }) => key in operations)
  return tag && { tag: tag.name, operation: tag.operations[key] }
}

async function describe(
  route: ApiRoute,
  { tag, operation }: TaggedOperation,
  schemas: Record<string, Schema>
) {
  const { summary, description } = operation
  const parameters = parametersOf(route, operation)
  const body = describeBody(route, operation, schemas)
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    Number(status) >= 300 && Number(status) < 400 ? describeBare(answer) : describeAnswer(answer),
  ])
  const problems = describeProblems(await problemsOf(route, operation))
  return {
    operationId: route.operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: SECURITY[route.token],
    parameters,
    ...(body && { requestBody: body }),
    responses: mergeAnswers(Object.fromEntries(answers), problems),
  }
}

function parametersOf({ pattern }: ApiRoute, { query, parameters = [] }: Operation): Parameter[] {
  const inQuery = query ? queryParameters(query) : []
  return [...pathParameters(pattern), ...inQuery, ...parameters, versionHeader]
}

function describeBody(route: ApiRoute, operation: Operation, schemas: Record<string, Schema>) {
  const { body, upload, isBodyOptional = false, bodyExample } = operation
  const required = !isBodyOptional
  if (upload) return { required, content: { [upload.type]: { schema: upload.schema } } }
  if (!body) return undefined
  const name = `${route.operationId[0].toUpperCase()}${route.operationId.slice(1)}Request`
  schemas[name] = toOpenApi(body.toJSONSchema())
  const example = bodyExample ?? exampleOf(schemas[name], records)
  return { required, content: { 'application/json': { schema: ref(name), example } } }
}

/** The refusals of the route's middleware, followed by those of the operation itself. */
async function problemsOf(route: ApiRoute, operation: Operation): Promise<Problem[]> {
  const validators = [operation.query, operation.body].filter((item) => item !== undefined)
  const invalid = await Promise.all(validators.map(invalidRequest))
  const refusals = [...refusalsOf(route, operation), ...(operation.refusals ?? [])]
  return [...invalid, ...refusals.map(problemOf)]
}

function refusalsOf(route: ApiRoute, { body }: Operation): RefusalClass[] {
  return [
    E_UNSUPPORTED_VERSION,
    ...(route.token === 'none' ? [] : [E_UNAUTHORIZED, E_TOKEN_REVOKED]),
    ...(route.needsAdmin ? [E_FORBIDDEN] : []),
    ...(route.takesJson && body
      ? [E_BAD_REQUEST, E_PAYLOAD_TOO_LARGE, E_UNSUPPORTED_MEDIA_TYPE]
      : []),
    E_UNAVAILABLE,
  ]
}

/** The validation error for an empty input, or for values of a wrong type where no field is required. */
async function invalidRequest(validator: Validator): Promise<Problem> {
  const names = Object.keys(toOpenApi(validator.toJSONSchema()).properties ?? {})
  const wrong = Object.fromEntries(names.map((name) => [name, {}]))
  const [missing] = await validator.tryValidate({})
  const [mistyped] = missing ? [missing] : await validator.tryValidate(wrong)
  return toProblem(mistyped)
}
