import { SIGN_IN_METHODS } from '#auth/methods/sign_in_method'
import { invalidEnvironment } from './invalid_environment.ts'
import type { OidcSettings } from '#auth/external/provider'

type Environment = Record<string, string | undefined>

export const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,30}$/

/** Names that Google, GitHub, the path `exchange` and the other sign-in methods already use. */
export const RESERVED_NAMES = [
  'google',
  'github',
  'exchange',
  ...SIGN_IN_METHODS.filter((name) => name !== 'external'),
]

/** Groups of a provider with this name would look like those in Kubernetes, as `system:masters`. */
const WITHOUT_GROUPS = 'system'

const CLAIM = /^[!-~]{1,128}$/

/** Beyond loopback, an attacker in the network could forge ID tokens over plain http. */
const ISSUER = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/

/** @throws E_INVALID_ENV_VARIABLES with a line for each error */
export function readOidcProviders(names: string[], values: Environment): OidcSettings[] {
  const errors = names.flatMap((name) => [...nameErrors(name), ...valueErrors(name, values)])
  if (errors.length > 0) throw invalidEnvironment(errors)
  return names.map((name) => {
    const [issuer, clientId, clientSecret] = variablesOf(name).map((each) => read(values, each))
    return { name, issuer, clientId, clientSecret, groupsClaim: groupsClaimOf(name, values) }
  })
}

function nameErrors(name: string) {
  if (PROVIDER_NAME.test(name) && !RESERVED_NAMES.includes(name)) return []
  return ['OIDC_PROVIDERS must list names of small letters, digits and -, but no reserved one']
}

function valueErrors(name: string, values: Environment) {
  const errors = variablesOf(name)
    .filter((variable) => !read(values, variable))
    .map((variable) => `${variable} is required, because OIDC_PROVIDERS names the provider`)
  const [variable] = variablesOf(name)
  const issuer = read(values, variable)
  const issuerErrors =
    issuer && !ISSUER.test(issuer) ? [`${variable} must be an https address`] : []
  return [...errors, ...issuerErrors, ...claimErrors(name, values)]
}

function claimErrors(name: string, values: Environment) {
  const [variable, claim] = [claimVariable(name), groupsClaimOf(name, values)]
  if (claim === null) return []
  if (name === WITHOUT_GROUPS) return [`${variable} must be off: rename the provider "${name}"`]
  return CLAIM.test(claim) ? [] : [`${variable} must be the name of a claim, such as groups`]
}

/** @returns null for a provider that does not report groups */
function groupsClaimOf(name: string, values: Environment) {
  const claim = read(values, claimVariable(name))
  return claim === '' || claim === 'off' ? null : claim
}

function prefixOf(name: string) {
  return `OIDC_${name.toUpperCase().replaceAll('-', '_')}`
}

export function claimVariable(name: string) {
  return `${prefixOf(name)}_GROUPS_CLAIM`
}

export function variablesOf(name: string) {
  const prefix = prefixOf(name)
  return [`${prefix}_ISSUER`, `${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]
}

export function providerVariables({ OIDC_PROVIDERS = '' }: Environment) {
  const named = OIDC_PROVIDERS.split(',').map((name) => name.trim())
  const clients = ['GOOGLE', 'GITHUB'].flatMap((each) => [
    `${each}_CLIENT_ID`,
    `${each}_CLIENT_SECRET`,
  ])
  const ofProvider = (name: string) => [...variablesOf(name), claimVariable(name)]
  return [...clients, ...named.filter(Boolean).flatMap(ofProvider)]
}

function read(values: Environment, variable: string) {
  return values[variable]?.trim() ?? ''
}
