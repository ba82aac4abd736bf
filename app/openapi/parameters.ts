import limits from '#config/limits'
import { toOpenApi } from './vine_schema.ts'
import type { Parameter, Validator } from './operation.ts'

export const versionHeader: Parameter = {
  name: 'X-API-Version',
  in: 'header',
  description: 'Version of the answer. Without it, version 1.',
  schema: { type: 'string', enum: ['1', '2'], default: '1' },
}

export const deviceIdHeader: Parameter = {
  name: 'x-device-id',
  in: 'header',
  description:
    'Names the device, such as `laptop`: its next login replaces its session. Without it, `default`.',
  schema: { type: 'string', minLength: 1, maxLength: limits.deviceId, pattern: '^[\\x20-\\x7e]*$' },
}

export const deviceTokenHeader: Parameter = {
  name: 'x-device-token',
  in: 'header',
  description:
    '`X-Device-Token` of the last login of this account with this `x-device-id`: failures of others do not keep the device out.',
  schema: { type: 'string' },
}

/** Every sign-in accepts these headers. */
export const deviceHeaders = [deviceIdHeader, deviceTokenHeader]
export const deviceTokenAnswer = {
  'X-Device-Token':
    'Of a request with `x-device-id`: what the next login sends as `x-device-token`. Good for 180 days, until the password changes or the device is withdrawn. With `AUTH_COOKIES=on` it is a cookie.',
}

export const sessionIdHeader: Parameter = {
  name: 'x-session-id',
  in: 'header',
  description: 'The one session to end, as listed by `GET /auth/sessions`.',
  schema: { type: 'string', format: 'uuid' },
}

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
  rel: 'The relation that is wanted, `http://openid.net/specs/connect/1.0/issuer`. More than one by repeating it.',
  to: 'The point in time before which it was.',
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
