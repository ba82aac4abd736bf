import { invalidEnvironment } from './invalid_environment.ts'

/* Clients of Google and GitHub, whose addresses are known. */

type Environment = Record<string, string | undefined>

/** @throws E_INVALID_ENV_VARIABLES when only one of id and secret is set */
export function readClient(prefix: string, values: Environment) {
  const clientId = values[`${prefix}_CLIENT_ID`]?.trim()
  const clientSecret = values[`${prefix}_CLIENT_SECRET`]?.trim()
  if (!clientId && !clientSecret) return null
  if (clientId && clientSecret) return { clientId, clientSecret }
  const missing = clientId ? `${prefix}_CLIENT_SECRET` : `${prefix}_CLIENT_ID`
  throw invalidEnvironment([`${missing} is required beside the other half of the client`])
}

export const GITHUB = 'https://github.com'

export function readGithub(values: Environment, url = GITHUB) {
  const client = readClient('GITHUB', values)
  return client && { ...client, url, apiUrl: githubApi(url) }
}

export function githubApi(url: string) {
  const { hostname } = new URL(url)
  const isCloud = hostname === 'github.com' || hostname.endsWith('.ghe.com')
  return isCloud ? `https://api.${hostname}` : `${url}/api/v3`
}
