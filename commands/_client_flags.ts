import { readFile } from 'node:fs/promises'
import { UsageError } from './_exit_codes.ts'
import { operatorPath } from './_operator_path.ts'
import type { ClientSettings } from '#oidc/clients/client'

/* This file imports nothing from the product, because help must not start it. */

interface ClientFlag {
  flag: string
  type: 'string' | 'array' | 'boolean'
  description: string
  /** Converts the typed value to the value that the validators take. */
  read: (typed: any) => unknown
}

type Flag = (flag: string, description: string) => ClientFlag

const text: Flag = (flag, description) => ({ flag, description, type: 'string', read: (it) => it })
const list: Flag = (flag, description) => ({ ...text(flag, description), type: 'array' })
const onOff: Flag = (flag, description) => ({ ...text(flag, description), type: 'boolean' })

const words: Flag = (flag, description) => ({
  ...text(flag, `${description}, separated by commas`),
  read: (typed: string) => typed.split(',').filter(Boolean),
})

/** An empty value after `=` clears the field. */
const clearable: Flag = (flag, description) => ({
  ...text(flag, description),
  read: (typed: string) => typed || null,
})

const claims: Flag = (flag, description) => ({ ...list(flag, description), read: readClaims })

/** A source may itself contain `=`. */
function readClaims(typed: string[]) {
  const pairs = typed.filter(Boolean).map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--claim takes name=source, and not ${pair}.`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}

const keySet: Flag = (flag, description) => ({ ...text(flag, description), read: readKeySet })

async function readKeySet(path: string) {
  if (path === '') return null
  try {
    return JSON.parse(await readFile(operatorPath(path), 'utf8'))
  } catch {
    throw new UsageError(`${path} must be a file with a JSON Web Key Set.`)
  }
}

const account: Flag = (flag, description) => ({ ...text(flag, description), read: readAccount })

async function readAccount(name: string) {
  if (name === '') return null
  const { findUserByName } = await import('#users/find_user')
  const { E_NOT_FOUND } = await import('#exceptions/http_errors')
  const user = await findUserByName(name)
  if (user) return user.id
  throw new E_NOT_FOUND(`--service-account: no account is named ${name}.`)
}

export const CLIENT_FLAGS: Record<keyof ClientSettings, ClientFlag> = {
  name: text('name', 'What people see when they sign in'),
  kind: text('kind', 'first_party, whose users are not asked, or third_party'),
  redirectUris: list('redirectUri', 'Where the code is sent; repeat it for several'),
  postLogoutRedirectUris: list(
    'postLogoutRedirectUri',
    'Where a logout may lead; repeat it for several'
  ),
  grantTypes: words('grants', 'Grant types'),
  scopes: words('scopes', 'Scopes'),
  tokenEndpointAuthMethod: text(
    'authMethod',
    'client_secret_basic, client_secret_post, private_key_jwt or none'
  ),
  jwks: keySet('jwks', 'File with the public keys of private_key_jwt'),
  jwksUri: clearable('jwksUri', 'Where the public keys of private_key_jwt are read'),
  backchannelLogoutUri: clearable('backchannelLogoutUri', 'Address that is told of ended sessions'),
  serviceAccountId: account('serviceAccount', 'Service account of client_credentials: id or name'),
  homeUrl: clearable('homeUrl', 'Where users open the application'),
  requirePkce: onOff('requirePkce', 'Refuse requests without PKCE; always on without a secret'),
  idTokenAlgorithm: text('idTokenAlgorithm', 'What signs ID tokens: RS256, ES256 or EdDSA'),
  idTokenClaims: onOff('idTokenClaims', 'Put e-mail and name into the ID token'),
  claims: claims('claim', 'A claim of its tokens as name=source; repeat it for several'),
  allowHttp: onOff('allowHttp', 'Allow http to addresses of private networks'),
  requireVerifiedEmail: onOff('requireVerifiedEmail', 'Ask users for a verified e-mail'),
  refreshTokens: text('refreshTokens', 'scope, for offline_access alone, or always'),
  refreshTokenTtl: clearable('refreshTokenTtl', 'Lifetime of refresh tokens, such as 30d'),
  requirePar: onOff('requirePar', 'Refuse requests that were not pushed (PAR)'),
  access: text('access', 'Who may sign in: everybody, or groups'),
  allowedGroups: {
    ...list('allowedGroup', 'A group that may sign in; repeat it for several'),
    read: (typed: string[]) => typed.filter(Boolean),
  },
  requireMfa: onOff('requireMfa', 'Ask users for two factors'),
  requireDpop: onOff('requireDpop', 'Refuse tokens that are not bound to a key (DPoP)'),
}
