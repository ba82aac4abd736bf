import { limitOfRoute } from '#auth/api_keys/route_limits'
import { scopeOfRoute } from '#auth/api_keys/route_scopes'
import {
  E_MFA_ENROLMENT_REQUIRED,
  E_INSUFFICIENT_SCOPE,
  E_TOKEN_REVOKED,
  E_UNAUTHORIZED,
} from '#auth/errors'
import {
  E_BAD_REQUEST,
  E_FORBIDDEN,
  E_PAYLOAD_TOO_LARGE,
  E_TOO_MANY_REQUESTS,
  E_UNAVAILABLE,
  E_UNSUPPORTED_MEDIA_TYPE,
  E_UNSUPPORTED_VERSION,
} from '#exceptions/http_errors'
import { oauthProblem } from '#exceptions/oauth_problem'
import { toProblem, type Problem } from '#exceptions/problem'
import { problemOf } from './responses.ts'
import { toOpenApi } from './vine_schema.ts'
import { crossSiteRefusals } from './security.ts'
import type { Operation, Validator } from './operation.ts'
import type { ApiRoute } from './routes.ts'

type Refusals = NonNullable<Operation['refusals']>

const TOO_MANY = new E_TOO_MANY_REQUESTS().retryAfter(840)

/** Refusals of the middleware come first. */
export async function problemsOf(route: ApiRoute, operation: Operation): Promise<Problem[]> {
  const validators = [operation.query, operation.body].filter((item) => item !== undefined)
  const invalid = await Promise.all(validators.map(invalidRequest))
  const refusals = [...refusalsOf(route, operation), ...(operation.refusals ?? [])]
  const problems = [...invalid, ...refusals.map(problemOf)]
  return operation.isOAuth ? problems.map(oauthProblem) : problems
}

function refusalsOf(route: ApiRoute, { body, refusals = [] }: Operation): Refusals {
  if (route.isOfProvider) return []
  return [
    E_UNSUPPORTED_VERSION,
    ...(route.token === 'none' ? [] : [E_UNAUTHORIZED, E_TOKEN_REVOKED, E_INSUFFICIENT_SCOPE]),
    ...(route.needsAdmin ? [E_FORBIDDEN, E_MFA_ENROLMENT_REQUIRED] : []),
    ...crossSiteRefusals(route),
    ...(route.takesJson && body
      ? [E_BAD_REQUEST, E_PAYLOAD_TOO_LARGE, E_UNSUPPORTED_MEDIA_TYPE]
      : []),
    ...(isLimitedForKeys(route) && !refusals.some(isTooMany) ? [TOO_MANY] : []),
    E_UNAVAILABLE,
  ]
}

function isLimitedForKeys({ method, pattern }: ApiRoute) {
  const route = { methods: [method], pattern }
  return scopeOfRoute(route) !== undefined && limitOfRoute(route) !== null
}

function isTooMany(refusal: Refusals[number]) {
  return refusal === E_TOO_MANY_REQUESTS || refusal instanceof E_TOO_MANY_REQUESTS
}

/** Returns the error for an empty input, or for wrong types if no field is required. */
async function invalidRequest(validator: Validator): Promise<Problem> {
  const names = Object.keys(toOpenApi(validator.toJSONSchema()).properties ?? {})
  const wrong = Object.fromEntries(names.map((name) => [name, {}]))
  const [missing] = await validator.tryValidate({})
  const [mistyped] = missing ? [missing] : await validator.tryValidate(wrong)
  return toProblem(mistyped)
}
