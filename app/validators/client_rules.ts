import vine from '@vinejs/vine'
import limits from '#config/limits'
import { isClaimName, parseSource } from '#auth/claims/claim_sources'
import { mapFields, type ClientField, type FieldType } from '#oidc/clients/client_fields'
import { parseDuration } from '#setup/environment/duration'
import { isShallowObject } from '#oidc/clients/public_keys'
import { isStrongSecret } from '#oidc/clients/secrets'
import { anyGroupName } from './groups.ts'
import { displayName, text } from './rules.ts'
import type { ConstructableSchema } from '@vinejs/vine/types'
import type { ClientSettings } from '#oidc/clients/client'

const DAY_MS = 86_400_000

/** Characters that are unreserved in URLs (RFC 3986, section 2.3), so an id needs no encoding. */
const CLIENT_ID = '^[A-Za-z0-9._~-]{2,100}$'

/** Names of `Object.prototype` would collide with members of each object that has ids as keys. */
export const isPlainClientId = (value: string) =>
  new RegExp(CLIENT_ID).test(value) && !(value in Object.prototype)

const clientIdRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && isPlainClientId(value)) return
    const form = '2 to 100 letters, digits or signs of . _ ~ -, and no name of JavaScript'
    field.report(`The {{ field }} field must have ${form}`, 'clientId', field)
  },
  {
    name: 'clientId',
    toJSONSchema: (schema) => Object.assign(schema, { pattern: CLIENT_ID, examples: ['grafana'] }),
  }
)

export const clientId = () => vine.string().use(clientIdRule())

const secretRule = vine.createRule(
  (value, _, field) => {
    if (typeof value !== 'string' || isStrongSecret(value)) return
    const form = '32 to 256 printable ASCII characters, 8 of them different, hard to guess'
    field.report(`The {{ field }} field must have ${form}`, 'clientSecret', field)
  },
  {
    name: 'clientSecret',
    toJSONSchema: (schema) => Object.assign(schema, { minLength: 32, maxLength: 256 }),
  }
)

export const clientSecret = () => vine.string().use(secretRule())

const durationRule = vine.createRule(
  (value, _, field) => {
    const ms = typeof value === 'string' ? parseDuration(value) : null
    if (ms !== null && ms >= 1_000 && ms <= limits.refreshTokenDays * DAY_MS) return
    const range = `from 1s to ${limits.refreshTokenDays}d`
    field.report(
      `The {{ field }} field must be a duration ${range}, such as 30d`,
      'duration',
      field
    )
  },
  {
    name: 'duration',
    toJSONSchema: (schema) =>
      Object.assign(schema, { pattern: '^\\d{1,9}(ms|s|m|h|d)$', examples: ['30d'] }),
  }
)

const duration = () => vine.string().use(durationRule())

const keySetRule = vine.createRule(
  (value, _, field) => {
    const { keys }: { keys?: unknown } = Object(value)
    if (Array.isArray(keys) && keys.every(isShallowObject)) return field.mutate({ keys }, field)
    field.report('The {{ field }} field must be a JSON Web Key Set', 'jwks', field)
  },
  { name: 'jwks', toJSONSchema: (schema) => Object.assign(schema, { anyOf: undefined }, KEY_SET) }
)

const KEY_SET = {
  type: 'object',
  required: ['keys'],
  properties: { keys: { type: 'array', items: { type: 'object' }, maxItems: limits.clientKeys } },
}

const keySet = () => vine.any().use(keySetRule())

const claimsRule = vine.createRule(
  (value, _, field) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const pairs = isObject ? Object.entries(value) : []
    const isFit = isObject && pairs.length <= limits.clientClaims && pairs.every(isClaim)
    if (isFit) return field.mutate({ ...value }, field)
    const form = `at most ${limits.clientClaims} claims with names that may be set and their sources`
    field.report(`The {{ field }} field must have ${form}`, 'claims', field)
  },
  { name: 'claims', toJSONSchema: (schema) => Object.assign(schema, { anyOf: undefined }, CLAIMS) }
)

const CLAIMS = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: limits.claimSource },
  examples: [{ department: 'appMetadata.department' }],
}

function isClaim([name, source]: [string, unknown]) {
  if (typeof source !== 'string' || source.length > limits.claimSource) return false
  return isClaimName(name) && parseSource(source) !== null && !/[\0\r\n]/.test(source)
}

const claims = () => vine.any().use(claimsRule())

export const uris = () => vine.array(text(limits.clientUri)).maxLength(limits.clientUris).distinct()

const groups = () => vine.array(anyGroupName()).maxLength(limits.allowedGroups).distinct()

const uri = () => text(limits.clientUri)
const user = () => vine.string().uuid().toLowerCase()

function choices(values: readonly string[], isEmptyAllowed: boolean) {
  const list = vine.array(vine.enum(values)).maxLength(values.length).distinct()
  return isEmptyAllowed ? list : list.minLength(1)
}

function ruleOf(field: FieldType) {
  switch (field.type) {
    case 'choice':
      return vine.enum(field.values)
    case 'choices':
      return choices(field.values, field.isEmptyAllowed)
    case 'name':
      return displayName()
    case 'uris':
      return uris()
    case 'switch':
      return vine.boolean()
    case 'claims':
      return claims()
    case 'groups':
      return groups()
    default:
      return NULLABLE[field.type]().nullable()
  }
}

const NULLABLE = { uri, user, duration, keys: keySet }

/** A browser sends nothing for an empty field or an unticked box, which must clear the setting. */
function formRuleOf(field: ClientField) {
  switch (field.type) {
    case 'choice':
      return vine.enum(field.values).parse((value) => value ?? field.fallback)
    case 'choices':
      return choices(field.values, field.isEmptyAllowed).parse((value) => value ?? [])
    case 'uris':
      return uris().parse(toLines)
    case 'groups':
      return groups().parse(toLines)
    case 'switch':
      return vine.boolean().parse((value) => value ?? false)
    case 'claims':
      return claims().parse(toClaims)
    case 'keys':
      return keySet().parse(toKeys).nullable()
    case 'uri':
    case 'user':
    case 'duration':
      return NULLABLE[field.type]()
        .parse((value) => value ?? null)
        .nullable()
    default:
      return ruleOf(field)
  }
}

function toLines(value: unknown) {
  if (typeof value !== 'string') return []
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  return [...new Set(lines.filter(Boolean))]
}

/** Lines such as `department: appMetadata.department`. */
function toClaims(value: unknown) {
  const pairs = toLines(value).map((line) => {
    const at = line.indexOf(': ')
    return at < 0 ? [line, null] : [line.slice(0, at).trim(), line.slice(at + 2).trim()]
  })
  return Object.fromEntries(pairs)
}

function toKeys(value: unknown) {
  if (typeof value !== 'string') return null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

type Rules<Missing = never> = {
  [Name in keyof ClientSettings]: ConstructableSchema<
    unknown,
    ClientSettings[Name] | Missing,
    ClientSettings[Name] | Missing
  >
}

export const clientRules = mapFields((_, field) => ruleOf(field).optional()) as Rules<undefined>

export const clientFormRules = mapFields((_, field) => formRuleOf(field)) as Rules
