import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

type Payload = Record<string, any>

/** Everything that the adapters of one provider store. */
class MemoryStore {
  readonly records = new Map<string, Payload>()
  error: Error | undefined
  /** Called while a JWT is composed. */
  onJwt = () => {}

  /** The class from which the provider makes an adapter for each kind. */
  get adapter() {
    const store = this
    return class {
      constructor(readonly kind: string) {}
      #key = (id: string) => `${this.kind}:${id}`
      async find(id: string) {
        if (store.error) throw store.error
        return store.records.get(this.#key(id))
      }
      async upsert(id: string, payload: Payload) {
        store.records.set(this.#key(id), payload)
      }
      async findByUid() {}
      async findByUserCode() {}
      async consume() {}
      async destroy() {}
      async revokeByGrantId() {}
    }
  }

  of(kind: string) {
    const found = [...this.records].filter(([key]) => key.startsWith(`${kind}:`))
    return found.map(([, payload]) => payload)
  }
}

export const REDIRECT_URI = 'https://app.example/callback'
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export const APP = {
  client_id: 'app',
  client_secret: 'secret%',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  id_token_signed_response_alg: 'ES256',
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'openid offline_access',
}

const MACHINE = {
  ...APP,
  client_id: 'machine',
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
}

/** A key for `EdDSA`, which RFC 9864 names `Ed25519`. */
export const BANK_KEY = generateKeyPairSync('ed25519')

const BANK = {
  client_id: 'bank',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'private_key_jwt',
  id_token_signed_response_alg: 'ES256',
  jwks: { keys: [{ ...BANK_KEY.publicKey.export({ format: 'jwk' }), alg: 'EdDSA' }] },
}

export const RESOURCE = 'https://api.example'

const API = {
  scope: '',
  audience: RESOURCE,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
}

const STORED = [
  'AccessToken',
  'ClientCredentials',
  'DeviceCode',
  'Grant',
  'IdToken',
  'Interaction',
  'RefreshToken',
]

const enabled = { enabled: true }

/** Makes the unpatched library with the features that the product uses, and a server for it. */
export async function unpatchedProvider() {
  const store = new MemoryStore()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }
  const provider = new Provider('http://127.0.0.1', {
    adapter: store.adapter,
    clients: [APP, MACHINE, BANK],
    cookies: { keys: ['key'] },
    formats: { customizers: { jwt: () => store.onJwt() } },
    jwks: { keys: [key] },
    scopes: ['openid', 'offline_access', 'email'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    ttl: Object.fromEntries(STORED.map((kind) => [kind, 600])),
    pkce: { required: () => false },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      clientCredentials: enabled,
      deviceFlow: enabled,
      devInteractions: { enabled: false },
      dPoP: enabled,
      resourceIndicators: { ...enabled, defaultResource() {}, getResourceServerInfo: () => API },
      revocation: enabled,
    },
  })
  provider.silent = true
  const server = createServer((request, response) => void provider.callback()(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return new UnpatchedProvider(provider, store, { origin, close: () => server.close() })
}

export class UnpatchedProvider {
  constructor(
    readonly provider: Provider,
    readonly store: MemoryStore,
    readonly server: { origin: string; close: () => void }
  ) {}

  authorize(more: Record<string, string> = {}) {
    const asked = { client_id: 'app', response_type: 'code', redirect_uri: REDIRECT_URI }
    const query = new URLSearchParams({ ...asked, scope: 'openid', ...more })
    return fetch(`${this.server.origin}/auth?${query}`, { redirect: 'manual' })
  }

  /** Returns the status and the JSON of a response to the client. */
  async post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    const secret: Record<string, string> = { client_id: 'app', client_secret: APP.client_secret }
    const body = new URLSearchParams({ ...(headers.authorization ? {} : secret), ...form })
    const response = await fetch(this.server.origin + path, { method: 'POST', body, headers })
    const text = await response.text()
    return { status: response.status, ...(text && JSON.parse(text)) }
  }

  get(path: string, accept = 'application/json') {
    return fetch(this.server.origin + path, { headers: { accept } })
  }

  async client() {
    const client = await this.provider.Client.find('app')
    return client!
  }
}
