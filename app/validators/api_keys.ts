import vine from '@vinejs/vine'
import { SCOPES } from '#auth/api_keys/scopes'
import { reauthentication } from './auth.ts'
import { displayName, instant } from './rules.ts'

export const createKeyValidator = vine.create({
  name: displayName(),
  scopes: vine.array(vine.enum(SCOPES)).minLength(1).maxLength(SCOPES.length).distinct(),
  expiresAt: instant().optional(),
  ...reauthentication,
})

/** `token_type_hint` (RFC 7662) says nothing that the token does not say itself. */
export const introspectValidator = vine.create({ token: vine.string().minLength(1) })
