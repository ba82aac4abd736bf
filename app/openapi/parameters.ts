import { toOpenApi } from './vine_schema.ts'
import type { Parameter, Validator } from './operation.ts'

const DESCRIPTIONS: Record<string, string> = {
  id: 'Id of the user.',
  sessionId: 'Id of the session.',
  deviceId: 'Id of the device.',
  keyId: 'Id of the API key.',
  passkeyId: 'Id of the passkey.',
  name: 'The last part of `avatar`.',
  provider: 'Name of the provider, as `GET /auth/external` lists it.',
  page: 'Page, counted from 1.',
  limit: 'Entries of a page; more than 100 count as 100.',
  cursor: '`meta.nextCursor` of the page before.',
  search: 'Part of an e-mail, username, handle or nickname.',
  role: 'Users of this role.',
  kind: 'People or service accounts.',
  status: 'Users in this state.',
  mfa: 'Users with or without a second factor.',
  createdFrom: 'Users created then or later.',
  lastLoginFrom: 'Users who signed in then or later.',
  sort: 'Field to sort by, with `-` before it for the largest first.',
  actor: 'Name of an actor, or the id of an account that acted.',
  target: 'Id of the account that was acted upon.',
  action: 'Such as `login.succeeded`.',
  outcome: 'Whether it worked.',
  ip: 'Address that it came from.',
  from: 'The first point in time.',
  resource: 'The account as a URI, such as `acct:ada@example.org`.',
  rel: 'The wanted relation, `http://openid.net/specs/connect/1.0/issuer`. Repeat it for more than one.',
  to: 'The time before which the event was.',
}

const UUID = { format: 'uuid' }
const UUID_PARAMETERS = new Set(['id', 'sessionId', 'passkeyId'])

function descriptionOf(name: string) {
  return DESCRIPTIONS[name] ?? `The ${name}.`
}

export function pathParameters(pattern: string): Parameter[] {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const [, listed] = /[/-](session|device|passkey|key)s\/:id$/.exec(pattern) ?? []
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: descriptionOf(listed ? `${listed}Id` : name),
    schema: { type: 'string', ...(UUID_PARAMETERS.has(name) && listed !== 'key' && UUID) },
  }))
}

export function queryParameters(validator: Validator): Parameter[] {
  const { properties = {}, required = [] } = toOpenApi(validator.toJSONSchema())
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: description ?? DESCRIPTIONS[name] ?? `The ${name}.`,
    schema,
  }))
}
