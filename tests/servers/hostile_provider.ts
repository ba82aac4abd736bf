import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createSigner } from 'fast-jwt'
import { freePort } from '#tests/support/free_port'

/** The faults of the provider; none unless a test sets them. */
export interface Behaviour {
  /** Claims of the ID token and of the user info. `undefined` removes a claim. */
  claims?: Record<string, unknown>
  /** Signs the ID token with a key that it does not publish, or not at all. */
  signature?: 'foreign' | 'none'
  /** Milliseconds before each answer of the token endpoint. */
  delayMs?: number
  /** The kind of answer that the token endpoint gives instead. */
  instead?: 'error' | 'huge' | 'elsewhere' | 'nonsense' | 'html'
  /** Answers discovery with a page. */
  discovery?: 'html'
  /** The issuer that discovery and ID tokens name instead of its own. */
  named?: string
  /** The scopes that discovery lists. */
  scopes?: string[]
  /** Accepts a code any number of times. */
  acceptsCodesTwice?: boolean
  /** Claims of the user info that the ID token lacks, or the status of an answer without them. */
  userInfo?: Record<string, unknown> | number
  /** The answer of the token endpoint to an unknown code. */
  refusal?: { error: string; status: number }
  /** The user of GitHub's API. */
  github?: {
    emails: { email: string; primary: boolean; verified: boolean }[]
    /** The status for the user; the addresses always get 200. */
    status?: number
  }
}

interface Grant {
  nonce: string | null
  redirectUri: string
}

/** Every provider has the same key pairs, because an RSA pair takes a tenth of a second. */
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
const [OWN, FOREIGN] = [keyPair(), keyPair()]

/**
 * An issuer that signs every user in immediately, with the faults that a test sets. It has OpenID
 * Connect as Google documents it, and OAuth 2.0 with the user API as GitHub documents it.
 */
export class HostileProvider {
  behaviour: Behaviour = {}
  readonly subject = randomUUID()
  #grants = new Map<string, Grant>()
  #server!: Server

  constructor(
    readonly issuer: string,
    readonly clientId = 'gatehouse'
  ) {}

  /** Starts a provider on a free port. */
  static async onLoopback() {
    const provider = new HostileProvider(`http://127.0.0.1:${await freePort()}`)
    await provider.start()
    return provider
  }

  start() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    const { port } = new URL(this.issuer)
    return new Promise<void>((resolve, reject) =>
      this.#server.once('error', reject).listen(Number(port), '127.0.0.1', () => resolve())
    )
  }

  stop() {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, this.issuer)
    switch (url.pathname) {
      case '/.well-known/another':
      case '/.well-known/openid-configuration':
        if (this.behaviour.discovery) return page(response)
        return json(response, this.#configuration())
      case '/jwks':
        return json(response, { keys: [this.#publicKey()] })
      case '/authorize':
      case '/login/oauth/authorize':
        return this.#authorize(url, response)
      case '/token':
      case '/login/oauth/access_token':
        return this.#token(await bodyOf(request), response)
      case '/userinfo':
        return this.#userInfo(response)
      case '/api/v3/user':
        if (this.behaviour.github?.status) {
          response.statusCode = this.behaviour.github.status
          return json(response, { message: 'Resource not accessible' })
        }
        return json(response, { id: 4_711, login: 'ada', name: 'Ada', avatar_url: null })
      case '/api/v3/user/emails':
        return json(response, this.behaviour.github?.emails ?? [])
      default:
        response.writeHead(404).end()
    }
  }

  #configuration() {
    return {
      issuer: this.behaviour.named ?? this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: this.behaviour.scopes,
    }
  }

  #publicKey() {
    const jwk = OWN.publicKey.export({ format: 'jwk' })
    return { ...jwk, kid: 'own', use: 'sig', alg: 'RS256' }
  }

  #authorize({ searchParams }: URL, response: ServerResponse) {
    const code = randomUUID()
    const redirectUri = searchParams.get('redirect_uri')!
    this.#grants.set(code, { nonce: searchParams.get('nonce'), redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', searchParams.get('state')!)
    response.writeHead(302, { location: back.href }).end()
  }

  async #token(body: URLSearchParams, response: ServerResponse) {
    const { delayMs, instead, refusal } = this.behaviour
    if (delayMs) await wait(delayMs)
    if (instead === 'error') return response.writeHead(500).end('broken')
    if (instead === 'nonsense') return json(response, { hello: 'world' })
    if (instead === 'huge') return flood(response)
    if (instead === 'html') return page(response)
    if (instead === 'elsewhere') {
      return response.writeHead(307, { location: 'http://127.0.0.1:9/steal' }).end()
    }
    const grant = this.#grants.get(body.get('code')!)
    if (!this.behaviour.acceptsCodesTwice) this.#grants.delete(body.get('code')!)
    if (!grant) {
      const { error, status } = refusal ?? { error: 'invalid_grant', status: 400 }
      return json(response, { error }, status)
    }
    const token = { access_token: randomUUID(), token_type: 'bearer', expires_in: 60 }
    json(response, { ...token, id_token: this.#idToken(grant) })
  }

  #person() {
    const person = { sub: this.subject, name: 'Ada', ...this.behaviour.claims }
    return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined))
  }

  #userInfo(response: ServerResponse) {
    const { userInfo } = this.behaviour
    if (typeof userInfo === 'number') return json(response, { error: 'broken' }, userInfo)
    json(response, { ...this.#person(), ...userInfo })
  }

  #idToken({ nonce }: Grant) {
    const now = Math.floor(Date.now() / 1_000)
    const times = { iat: now, exp: now + 60, auth_time: now }
    const standard = {
      iss: this.behaviour.named ?? this.issuer,
      aud: this.clientId,
      ...(nonce && { nonce }),
      ...times,
    }
    const claims = { ...standard, ...this.#person(), ...this.behaviour.claims }
    if (this.behaviour.signature === 'none') return unsigned(claims)
    const key = this.behaviour.signature === 'foreign' ? FOREIGN : OWN
    return createSigner({ key: pem(key.privateKey), algorithm: 'RS256', kid: 'own' })(
      JSON.parse(JSON.stringify(claims))
    )
  }
}

function pem(key: KeyObject) {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string
}

function unsigned(claims: object) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
}

function json(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function page(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>secret-of-a-page')
}

/** Answers with ten megabytes of well-formed JSON. */
function flood(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"access_token":"${'x'.repeat(10 * 1_024 * 1_024)}"}`)
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
