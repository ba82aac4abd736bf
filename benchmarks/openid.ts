import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Browser } from './browser.ts'
import { loadWith, type Round } from './load.ts'
import { pin, residentMemory, SERVER_CORE } from './machine.ts'
import { median, percentile } from './statistics.ts'
import { ADMIN } from './targets.ts'
import { PASSWORD, type Service } from './service.ts'

/*
 | What an application does with an OpenID provider: it sends a person who is signed in there
 | to authorize it, redeems the code, asks who they are, and refreshes later. The product is
 | measured beside the library that it uses, alone and with everything in memory.
 */

export const REDIRECT_URI = 'https://app.example.org/callback'

/** The paths of a provider, and the application that is registered with it from the start. */
export interface OpenId {
  authorize: string
  token: string
  userinfo: string
  client?: Client
}

interface Client {
  id: string
  secret: string
}

export interface OpenIdFigures {
  /** Sign-ins to the application: authorize, token and userinfo. */
  flow: Omit<Round, 'failed'>
  refresh: Round
  /** Before the first request to the provider and after the first sign-in, in megabytes. */
  memory: { before: number; after: number }
}

/** People who sign in at once. */
const PEOPLE = 16

export async function measureOpenId(
  service: Service,
  { rounds, seconds }: { rounds: number; seconds: number }
): Promise<OpenIdFigures> {
  pin(service.pid, SERVER_CORE)
  const application = await Application.register(service)
  const people = Array.from({ length: PEOPLE }, (_, at) => personOf(service, at))
  const before = residentMemory(service.pid)
  await application.signIn(people[0])
  await wait(500)
  const after = residentMemory(service.pid)
  const flows = []
  const refreshes = []
  for (let round = 0; round <= rounds; round++) {
    const flow = await signInAll(application, people, seconds)
    const refresh = await refreshAll(application, people, seconds)
    if (round === 0) continue
    flows.push(flow)
    refreshes.push(refresh)
  }
  return { flow: mediansOf(flows), refresh: mediansOf(refreshes), memory: { before, after } }
}

function personOf({ url }: Service, at: number) {
  return new Browser(url, { email: `user${at + 1}@example.org`, password: PASSWORD })
}

/** An application and its calls. */
class Application {
  readonly #headers: Record<string, string>

  private constructor(
    readonly service: Service,
    readonly client: Client
  ) {
    const credentials = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    this.#headers = {
      'authorization': `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
  }

  static async register(service: Service) {
    return new Application(service, service.target.openid!.client ?? (await createClient(service)))
  }

  /** @returns the tokens */
  async signIn(person: Browser): Promise<{ access_token: string; refresh_token: string }> {
    const { url, target } = this.service
    const { authorize, userinfo } = target.openid!
    const verifier = randomBytes(32).toString('base64url')
    const left = await person.leave(`${url}${authorize}?${this.#authorizationRequest(verifier)}`)
    const code = left.searchParams.get('code')
    if (!code) throw new Error(`No code in ${left}`)
    const tokens = await this.#redeem(code, verifier)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    await bodyOf(await fetch(`${url}${userinfo}`, { headers }))
    return tokens
  }

  #authorizationRequest(verifier: string) {
    return new URLSearchParams({
      client_id: this.client.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid email profile offline_access',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: randomBytes(16).toString('base64url'),
    })
  }

  async #redeem(code: string, verifier: string) {
    const request = { code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...request })
    const init = { method: 'POST', headers: this.#headers, body }
    return bodyOf(await fetch(this.service.url + this.service.target.openid!.token, init))
  }

  /** What `wrk` sends. The token of a client with a secret stays the same. */
  refreshRequest(refreshToken: string) {
    const given = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const body = new URLSearchParams(given).toString()
    const path = this.service.target.openid!.token
    return { method: 'POST', path, headers: this.#headers, body }
  }
}

/** Registered by an administrator, of the kind that asks for no consent. */
async function createClient(service: Service): Promise<Client> {
  const headers = await service.signIn(ADMIN)
  const scopes = ['openid', 'email', 'profile', 'offline_access']
  const grantTypes = ['authorization_code', 'refresh_token']
  const client = { name: 'Bench', kind: 'first_party', redirectUris: [REDIRECT_URI] }
  const body = JSON.stringify({ ...client, scopes, grantTypes })
  const created = await bodyOf(
    await fetch(`${service.url}/oauth-clients`, { method: 'POST', headers, body })
  )
  return { id: created.clientId, secret: created.clientSecret }
}

async function bodyOf(response: Response): Promise<any> {
  if (response.ok) return response.json()
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
}

/** Each person signs in again as soon as they are signed in. */
async function signInAll(application: Application, people: Browser[], seconds: number) {
  const { service } = application
  const times: number[] = []
  const [cpuBefore, startedAt] = [service.cpuTime(), performance.now()]
  const end = startedAt + seconds * 1_000
  const repeat = async (person: Browser) => {
    while (performance.now() < end) {
      const begun = performance.now()
      await application.signIn(person)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(people.map(repeat))
  const passed = performance.now() - startedAt
  return {
    rate: (times.length * 1_000) / passed,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpuUs: ((service.cpuTime() - cpuBefore) * 1_000) / times.length,
    failed: 0,
  }
}

async function refreshAll(application: Application, people: Browser[], seconds: number) {
  const tokens = await Promise.all(people.map((person) => application.signIn(person)))
  const requests = tokens.map((each) => application.refreshRequest(each.refresh_token))
  return loadWith(application.service, requests, { connections: PEOPLE, seconds })
}

function mediansOf(rounds: Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]))
  return {
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    cpuUs: of('cpuUs'),
    failed: of('failed'),
  }
}
