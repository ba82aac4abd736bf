import { scopeOfRoute } from '#auth/api_keys/route_scopes'
import { E_MFA_ENROLMENT_REQUIRED, E_SCOPE, E_TOKEN_REVOKED, E_UNAUTHORIZED } from '#auth/errors'
import {
  E_BAD_REQUEST,
  E_FORBIDDEN,
  E_PAYLOAD_TOO_LARGE,
  E_UNAVAILABLE,
  E_UNSUPPORTED_MEDIA_TYPE,
  E_UNSUPPORTED_VERSION,
} from '#exceptions/http_errors'
import { toProblem, type Problem } from '#exceptions/problem'
import { exampleOf } from './examples.ts'
import { pathParameters, queryParameters, versionHeader } from './parameters.ts'
import {
  describeAnswer,
  describeBare,
  describeProblems,
  mergeAnswers,
  problemOf,
} from './responses.ts'
import { ref, toOpenApi, type Schema } from './schema.ts'
import { records } from './schemas/index.ts'
import { crossSiteRefusals, securityOf } from './security.ts'
import type { Operation, Parameter, TaggedOperation, Validator } from './operation.ts'
import type { ApiRoute } from './routes.ts'
import type { RefusalClass } from '#exceptions/refusal'

/** Describes an operation, and adds the schema of its request body to `schemas`. */
export async function describeOperation(
  route: ApiRoute,
  { tag, operation }: TaggedOperation,
  schemas: Record<string, Schema>
) {
  const { summary } = operation
  const description = descriptionOf(route, operation)
  const body = describeBody(route, operation, schemas)
  return {
    operationId: route.operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(route),
    parameters: parametersOf(route, operation),
    ...(body && { requestBody: body }),
    responses: await responsesOf(route, operation),
  }
}

/** A route without a scope takes no API key, so that nothing is said about it. */
function descriptionOf({ method, pattern }: ApiRoute, { description = '' }: Operation) {
  const scope = scopeOfRoute({ methods: [method], pattern })
  const needed = scope ? `An API key needs \`${scope}\`.` : ''
  return [description, needed].filter(Boolean).join(' ')
}

async function responsesOf(route: ApiRoute, operation: Operation) {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    Number(status) >= 300 && Number(status) < 400 ? describeBare(answer) : describeAnswer(answer),
  ])
  const problems = describeProblems(await problemsOf(route, operation))
  return mergeAnswers(Object.fromEntries(answers), problems)
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
    ...(route.token === 'none' ? [] : [E_UNAUTHORIZED, E_TOKEN_REVOKED, E_SCOPE]),
    ...(route.needsAdmin ? [E_FORBIDDEN, E_MFA_ENROLMENT_REQUIRED] : []),
    ...crossSiteRefusals(route),
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
