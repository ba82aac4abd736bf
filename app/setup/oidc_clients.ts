import { invalidEnvironment } from './invalid_environment.ts'
import type { OidcSettings } from '#auth/external/oidc_settings'

type Values = Record<string, string | undefined>

const NAME = /^[a-z][a-z0-9-]{0,30}$/

/** Plain http is accepted on loopback only: elsewhere an attacker in the network could forge ID tokens. */
const ISSUER = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/

/**
 * Reads `OIDC_<NAME>_ISSUER`, `OIDC_<NAME>_CLIENT_ID` and `OIDC_<NAME>_CLIENT_SECRET` of
 * each provider; dashes of a name are underscores there.
 *
 * @throws E_INVALID_ENV_VARIABLES with a line for each fault
 */
export function readOidcProviders(names: string[], values: Values): OidcSettings[] {
  const faults: string[] = []
  const read = (variable: string) => {
    const value = values[variable]?.trim()
    if (!value) faults.push(`${variable} is required, because OIDC_PROVIDERS names the provider`)
    return value ?? ''
  }
  const providers = names.map((name) => {
    const prefix = `OIDC_${name.toUpperCase().replaceAll('-', '_')}`
    if (!NAME.test(name) || ['google', 'github', 'exchange'].includes(name)) {
      faults.push(
        'OIDC_PROVIDERS must list names of small letters, digits and -, but no reserved one'
      )
    }
    const issuer = read(`${prefix}_ISSUER`)
    if (issuer && !ISSUER.test(issuer)) faults.push(`${prefix}_ISSUER must be an https address`)
    const [clientId, clientSecret] = [read(`${prefix}_CLIENT_ID`), read(`${prefix}_CLIENT_SECRET`)]
    return { name, issuer, clientId, clientSecret }
  })
  if (faults.length > 0) throw invalidEnvironment(faults)
  return providers
}

/** The client of a provider; null when neither its id nor its secret is set, an error when only one is. */
export function readClient(prefix: string, values: Values) {
  const clientId = values[`${prefix}_CLIENT_ID`]?.trim()
  const clientSecret = values[`${prefix}_CLIENT_SECRET`]?.trim()
  if (!clientId && !clientSecret) return null
  if (clientId && clientSecret) return { clientId, clientSecret }
  const missing = clientId ? `${prefix}_CLIENT_SECRET` : `${prefix}_CLIENT_ID`
  throw invalidEnvironment([`${missing} is required beside the other half of the client`])
}
