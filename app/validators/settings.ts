import vine from '@vinejs/vine'
import { mayBeCalled } from '#network/outbound_hosts'
import { PROVIDER_NAME, RESERVED_NAMES } from '#setup/environment/oidc_clients'
import { reauthentication } from './auth.ts'

const nameRule = vine.createRule(
  (value, _, field) => {
    if (typeof value !== 'string') return
    if (PROVIDER_NAME.test(value) && !RESERVED_NAMES.includes(value)) return
    const form =
      'small letters, digits and -, at most 31, beginning with a letter, and no reserved one'
    field.report(`The {{ field }} field must be a name of ${form}`, 'providerName', field)
  },
  {
    name: 'providerName',
    toJSONSchema: (schema) => Object.assign(schema, { pattern: PROVIDER_NAME.source }),
  }
)

/** The issuer must be exactly what the provider calls itself, because both are compared. */
function isIssuer(value: string) {
  const url = URL.parse(value)
  if (!url || url.search || url.hash || url.username || url.password) return false
  /** openid-client treats such an address as the document, which may then name another issuer. */
  if (url.href.includes('/.well-known/')) return false
  return /^[!-~]+$/.test(value) && mayBeCalled(url)
}

const issuerRule = vine.createRule(
  (value, _, field) => {
    if (typeof value !== 'string' || isIssuer(value)) return
    const form =
      'a public https address, or one within OUTBOUND_ALLOWED_NETWORKS, without /.well-known/'
    field.report(`The {{ field }} field must be ${form}`, 'issuer', field)
  },
  { name: 'issuer', toJSONSchema: (schema) => Object.assign(schema, { format: 'uri' }) }
)

const issuer = () => vine.string().trim().maxLength(255).use(issuerRule())
const clientId = () =>
  vine
    .string()
    .trim()
    .minLength(1)
    .maxLength(255)
    .regex(/^[ -~]+$/)
const clientSecret = () =>
  vine
    .string()
    .minLength(1)
    .maxLength(1_024)
    .regex(/^[ -~]+$/)

export const createProviderValidator = vine.create({
  ...reauthentication,
  name: vine.string().use(nameRule()),
  issuer: issuer(),
  clientId: clientId(),
  clientSecret: clientSecret(),
})

/**
 * Only the fields that are sent change; another issuer needs the secret again. A test takes missing
 * fields from the saved provider.
 */
export const updateProviderValidator = vine.create({
  ...reauthentication,
  issuer: issuer().optional(),
  clientId: clientId().optional(),
  clientSecret: clientSecret().optional(),
})
