import vine from '@vinejs/vine'
import limits from '#config/limits'
import {
  AUTH_METHODS,
  CLIENT_KINDS,
  CLIENT_SCOPES,
  GRANT_TYPES,
  type ClientScope,
} from '#oidc/clients/client'
import { proof } from './auth.ts'
import { displayName, text } from './rules.ts'

const uris = () => vine.array(text(limits.clientUri)).maxLength(limits.clientUris).distinct()

const settings = {
  kind: vine.enum(CLIENT_KINDS).optional(),
  redirectUris: uris().optional(),
  postLogoutRedirectUris: uris().optional(),
  grantTypes: vine.array(vine.enum(GRANT_TYPES)).minLength(1).distinct().optional(),
  scopes: vine
    .array(vine.enum(CLIENT_SCOPES as readonly ClientScope[]))
    .distinct()
    .optional(),
  tokenEndpointAuthMethod: vine.enum(AUTH_METHODS).optional(),
  backchannelLogoutUri: text(limits.clientUri).nullable().optional(),
  serviceAccountId: vine.string().uuid().toLowerCase().nullable().optional(),
}

export const createClientValidator = vine.create({ name: displayName(), ...settings, ...proof })

export const updateClientValidator = vine.create({
  name: displayName().optional(),
  ...settings,
  ...proof,
})

/** A browser sends nothing for an empty field. */
function toLines(value: unknown) {
  if (typeof value !== 'string') return []
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  return [...new Set(lines.filter(Boolean))]
}

/** An empty field must clear its setting instead of keeping it. */
const orNone = (value: unknown) => value ?? []
const orNull = (value: unknown) => value ?? null

const lines = () => uris().parse(toLines)

export const clientFormValidator = vine.create({
  name: displayName(),
  kind: vine.enum(CLIENT_KINDS),
  redirectUris: lines(),
  postLogoutRedirectUris: lines(),
  grantTypes: vine.array(vine.enum(GRANT_TYPES)).minLength(1).distinct().parse(orNone),
  scopes: vine
    .array(vine.enum(CLIENT_SCOPES as readonly ClientScope[]))
    .distinct()
    .parse(orNone),
  tokenEndpointAuthMethod: vine.enum(AUTH_METHODS),
  backchannelLogoutUri: text(limits.clientUri).parse(orNull).nullable(),
  serviceAccountId: vine.string().uuid().toLowerCase().parse(orNull).nullable(),
})
