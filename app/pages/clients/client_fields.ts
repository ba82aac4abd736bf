import type { I18n } from '@adonisjs/i18n'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import {
  ACCESS,
  API_SCOPES,
  AUTH_METHODS,
  CLIENT_KINDS,
  GRANT_TYPES,
  IDENTITY_SCOPES,
  REFRESH_TOKENS,
} from '#oidc/clients/client'
import type { Form } from '#pages/forms/forms'

function choicesIn(i18n: I18n) {
  return {
    kinds: CLIENT_KINDS.map((value) => ({ value, text: i18n.t(`clients.kinds.${value}`) })),
    authMethods: AUTH_METHODS.map((value) => ({
      value,
      text: i18n.t(`clients.auth_methods.${value}`),
    })),
    grantTypes: GRANT_TYPES.map((value) => ({
      value,
      text: i18n.t(`clients.grants.${value.split(':').at(-1)}`),
    })),
    scopes: [...IDENTITY_SCOPES, ...API_SCOPES],
    idTokenAlgorithms: ID_TOKEN_ALGORITHMS,
    access: ACCESS.map((value) => ({ value, text: i18n.t(`access.fields.${value}`) })),
    refreshTokens: REFRESH_TOKENS.map((value) => ({
      value,
      text: i18n.t(`clients.refresh_tokens.${value}`),
    })),
  }
}

/** The form keeps these fields behind “Further settings”. */
const FURTHER_FIELDS = [
  'grantTypes',
  'scopes',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'serviceAccountId',
]

/** The form keeps these fields behind “Access”. */
const ACCESS_FIELDS = ['access', 'allowedGroups', 'requireMfa']

/** The form keeps these fields behind “Tokens and security”. */
const SECURITY_FIELDS = [
  'requirePkce',
  'requireVerifiedEmail',
  'allowHttp',
  'idTokenAlgorithm',
  'idTokenClaims',
  'claims',
  'refreshTokens',
  'refreshTokenTtl',
  'jwks',
  'jwksUri',
  'requirePar',
  'requireDpop',
]

export function fieldsOf(i18n: I18n, form: Form) {
  return {
    form,
    choices: choicesIn(i18n),
    hasFurtherErrors: FURTHER_FIELDS.some((name) => form.errors[name]),
    hasAccessErrors: ACCESS_FIELDS.some((name) => form.errors[name]),
    hasSecurityErrors: SECURITY_FIELDS.some((name) => form.errors[name]),
  }
}
