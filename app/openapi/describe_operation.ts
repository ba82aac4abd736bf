import { scopesNeededAt } from '#auth/api_keys/route_scopes'
import { exampleOf } from './example_of.ts'
import { pathParameters, queryParameters } from './parameters.ts'
import { describeAnswer, describeBare, describeProblems, mergeAnswers } from './responses.ts'
import { ref, type Schema } from './schema.ts'
import { toBodySchema } from './body_schema.ts'
import { records } from './schemas/index.ts'
import { securityOf } from './security.ts'
import { problemsOf } from './operation_problems.ts'
import type { Operation, Parameter, TaggedOperation } from './operation.ts'
import type { ApiRoute } from './routes.ts'

/** Adds the schema of the request body to `schemas`. */
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
    ...(operation.callbacks && { callbacks: operation.callbacks }),
  }
}

/** A route without a scope takes no API key, and its description mentions none. */
function descriptionOf({ method, pattern }: ApiRoute, { description = '' }: Operation) {
  const scopes = scopesNeededAt({ methods: [method], pattern }).map((scope) => `\`${scope}\``)
  const needed = scopes.length > 0 ? `An API key needs ${scopes.join(' and ')}.` : ''
  return [description, needed].filter(Boolean).join(' ')
}

/** Whether the status has no body, such as 204 and redirects. */
function isBare(status: number) {
  return status === 204 || (status >= 300 && status < 400)
}

async function responsesOf(route: ApiRoute, operation: Operation) {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    isBare(Number(status)) ? describeBare(answer) : describeAnswer(answer),
  ])
  const problems = describeProblems(await problemsOf(route, operation))
  const responses = mergeAnswers(Object.fromEntries(answers), problems)
  const isRedirect = !Object.keys(responses).some((status) => status.startsWith('2'))
  return isRedirect ? { ...responses, default: { description: 'An error' } } : responses
}

function parametersOf({ pattern }: ApiRoute, { query, parameters = [] }: Operation): Parameter[] {
  const inQuery = query ? queryParameters(query) : []
  return [...pathParameters(pattern), ...inQuery, ...parameters]
}

function describeBody(route: ApiRoute, operation: Operation, schemas: Record<string, Schema>) {
  const { body, upload, isBodyOptional = false, bodyExample } = operation
  const required = !isBodyOptional
  if (upload) return { required, content: { [upload.type]: { schema: upload.schema } } }
  if (!body) return undefined
  const name = `${route.operationId[0].toUpperCase()}${route.operationId.slice(1)}Request`
  schemas[name] = toBodySchema(body.toJSONSchema())
  const example = bodyExample ?? exampleOf(schemas[name], records)
  return { required, content: { 'application/json': { schema: ref(name), example } } }
}
