import type { Metadata } from '#models/metadata'

/* The sources of token claims, for applications and for our own access tokens. */

const FIELDS = ['id', 'email', 'username', 'nickname', 'role'] as const
type FieldName = (typeof FIELDS)[number]

export type ClaimSubject = Record<FieldName, string | null> & {
  groups: string[]
  appMetadata: Metadata
}

export type ClaimSource =
  | { type: 'field'; field: FieldName }
  | { type: 'groups'; prefix: string }
  | { type: 'appMetadata'; path: string[] }
  | { type: 'text'; text: string }

const GROUPS = 'groups:'
const APP_METADATA = 'appMetadata.'

/** Reads `email`, `groups`, `groups:<prefix>`, `appMetadata.<path>` or `=text`; null for others. */
export function parseSource(source: string): ClaimSource | null {
  if (source.startsWith('=')) return { type: 'text', text: source.slice(1) }
  if (source === 'groups') return { type: 'groups', prefix: '' }
  const field = FIELDS.find((each) => each === source)
  if (field) return { type: 'field', field }
  if (source.startsWith(GROUPS) && source !== GROUPS)
    return { type: 'groups', prefix: source.slice(GROUPS.length) }
  if (!source.startsWith(APP_METADATA)) return null
  const path = source.slice(APP_METADATA.length).split('.')
  return path.every(Boolean) ? { type: 'appMetadata', path } : null
}

/** Returns undefined if the user has no such value. */
export function valueOf(source: ClaimSource, subject: ClaimSubject): unknown {
  switch (source.type) {
    case 'text':
      return source.text
    case 'field':
      return subject[source.field] ?? undefined
    case 'groups':
      return subject.groups.filter((name) => name.startsWith(source.prefix))
    case 'appMetadata':
      return source.path.reduce(member, subject.appMetadata) ?? undefined
  }
}

/** Reads only own members: a path must not reach the members that every object inherits. */
function member(value: unknown, key: string): any {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.hasOwn(value, key) ? (value as Metadata)[key] : undefined
}

/** The text of each source, by the name of the claim. */
export type ClaimSources = Record<string, string>

export function readsGroups(sources: ClaimSources) {
  return Object.values(sources).some((source) => parseSource(source)?.type === 'groups')
}

/** Claims that say who signed in, how, where and until when, or that an address is verified. */
const REFUSED = new Set(
  [
    'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash s_hash sid cnf',
    'client_id scope act may_act events email email_verified',
    '__proto__ constructor prototype',
  ]
    .join(' ')
    .split(' ')
)

const NAME = /^[\x21-\x7e]{1,128}$/

export function isClaimName(name: string) {
  return NAME.test(name) && !REFUSED.has(name)
}
