import { createHash, randomBytes } from 'node:crypto'
import { Browser } from './browser.ts'
import { ADMIN } from './targets.ts'
import { PASSWORD, type Request, type Service } from './service.ts'

/* An application that is registered with a provider, and its requests to the provider. */

export const REDIRECT_URI = 'https://app.example.org/callback'

export const ALGORITHMS = ['RS256', 'ES256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** The paths of a provider, and the applications that it has from the start. */
export interface OpenId {
  authorize: string
  token: string
  userinfo: string
  introspection: string
  clients?: Clients
  /** Whether the refresh tokens of the provider need no scope. */
  hasNoOfflineScope?: boolean
}

export interface Client {
  id: string
  secret: string
}

/** One for each algorithm of ID tokens, one with refresh tokens, and a machine. */
export type Clients = Record<Algorithm | 'lasting' | 'machine', Client>

export interface Tokens {
  access_token: string
  refresh_token: string
}

const SCOPE = 'openid email profile'

export class Application {
  readonly #headers: Record<string, string>

  constructor(
    readonly service: Service,
    readonly client: Client
  ) {
    const credentials = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    this.#headers = {
      'authorization': `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
  }

  get #paths() {
    return this.service.target.openid!
  }

  /** Goes from the authorization request to the tokens. A person signs in only the first time. */
  async signIn(person: Browser, scope = SCOPE): Promise<Tokens> {
    const verifier = randomBytes(32).toString('base64url')
    const request = this.#authorizationRequest(verifier, scope)
    const left = await person.leave(`${this.service.url}${this.#paths.authorize}?${request}`)
    const code = left.searchParams.get('code')
    if (!code) throw new Error(`No code in ${left}`)
    return this.#redeem(code, verifier)
  }

  signInForLong(person: Browser) {
    const { hasNoOfflineScope } = this.#paths
    return this.signIn(person, hasNoOfflineScope ? SCOPE : `${SCOPE} offline_access`)
  }

  #authorizationRequest(verifier: string, scope: string) {
    return new URLSearchParams({
      client_id: this.client.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: randomBytes(16).toString('base64url'),
    })
  }

  async #redeem(code: string, verifier: string): Promise<Tokens> {
    const given = { code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
    const { method, path, headers, body } = this.#tokenRequest({
      grant_type: 'authorization_code',
      ...given,
    })
    return bodyOf(await fetch(this.service.url + path, { method, headers, body }))
  }

  #tokenRequest(given: Record<string, string>): Request {
    return this.#form(this.#paths.token, given)
  }

  #form(path: string, given: Record<string, string>): Request {
    const body = new URLSearchParams(given).toString()
    return { method: 'POST', path, headers: this.#headers, body }
  }

  /** The refresh token of a client with a secret stays the same. */
  refreshRequest({ refresh_token: refreshToken }: Tokens) {
    return this.#tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  machineRequest() {
    return this.#tokenRequest({ grant_type: 'client_credentials' })
  }

  introspectionRequest({ access_token: token }: Tokens) {
    return this.#form(this.#paths.introspection, { token })
  }

  async assertActive(tokens: Tokens) {
    const { method, path, headers, body } = this.introspectionRequest(tokens)
    const answer = await bodyOf(await fetch(this.service.url + path, { method, headers, body }))
    if (!answer.active) throw new Error(`${this.service.target.name} refuses its own token`)
  }

  userinfoRequest({ access_token: token }: Tokens): Request {
    const headers = { authorization: `Bearer ${token}` }
    return { method: 'GET', path: this.#paths.userinfo, headers }
  }
}

/** Returns the clients that the target has from the start, or new ones that ask for no consent. */
export async function clientsOf(service: Service): Promise<Clients> {
  const { clients } = service.target.openid!
  if (clients) return clients
  const headers = await service.signIn(ADMIN)
  const create = async (path: string, given: object) => {
    const body = JSON.stringify(given)
    return bodyOf(await fetch(service.url + path, { method: 'POST', headers, body }))
  }
  const register = async (given: object): Promise<Client> => {
    const created = await create('/oauth-clients', { name: 'Bench', ...given })
    return { id: created.clientId, secret: created.clientSecret }
  }
  const application = {
    kind: 'first_party',
    redirectUris: [REDIRECT_URI],
    scopes: [...SCOPE.split(' '), 'offline_access'],
    grantTypes: ['authorization_code', 'refresh_token'],
    idTokenAlgorithm: 'ES256',
    requireVerifiedEmail: false,
  }
  const account = await create('/users', { kind: 'service', username: 'Bench', role: 'Admin' })
  const machine = {
    serviceAccountId: account.id,
    redirectUris: [],
    scopes: ['users:read'],
    grantTypes: ['client_credentials'],
  }
  return {
    RS256: await register({ ...application, idTokenAlgorithm: 'RS256' }),
    ES256: await register(application),
    lasting: await register(application),
    machine: await register(machine),
  }
}

export function personOf({ url }: Service, at: number) {
  return new Browser(url, { email: `user${at + 1}@example.org`, password: PASSWORD })
}

async function bodyOf(response: Response): Promise<any> {
  if (response.ok) return response.json()
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
}
