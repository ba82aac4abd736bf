import * as oidc from 'openid-client'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { REDIRECT } from '#tests/support/oidc'
import { ADMIN, codeOf, register } from './application.ts'
import { signIn } from './backend.ts'
import { RawConnection, statusOf } from './raw_connection.ts'
import type { Product } from './product.ts'

/* The requests of applications, sent as their servers do: on connections that stay open. */

/** What an application with a signed-in user holds. */
export interface Access {
  clientId: string
  secret: string
  accessToken: string
  refreshToken: string
  idToken: string
}

type RawRequest = Parameters<RawConnection['send']>[0]

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function basic({ clientId, secret }: Access) {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` }
}

function form(path: string, fields: Record<string, string>, headers = {}): RawRequest {
  const body = new URLSearchParams(fields).toString()
  return { method: 'POST', path, headers: { ...FORM, ...headers }, body }
}

function authorization({ clientId }: Access): RawRequest {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return { path: `/oauth/authorize?${query}`, headers: { accept: 'text/html' } }
}

interface Traffic {
  /** The status while all that the product needs is available. */
  status: number
  request: (access: Access) => RawRequest
}

export const TRAFFIC: Record<string, Traffic> = {
  'refresh': {
    status: 200,
    request: (access) => {
      const fields = { grant_type: 'refresh_token', refresh_token: access.refreshToken }
      return form('/oauth/token', fields, basic(access))
    },
  },
  'userinfo': {
    status: 200,
    request: ({ accessToken }) => ({
      path: '/oauth/userinfo',
      headers: { authorization: `Bearer ${accessToken}` },
    }),
  },
  'client credentials': {
    status: 200,
    request: (access) => form('/oauth/token', { grant_type: 'client_credentials' }, basic(access)),
  },
  'unknown client': {
    status: 401,
    request: () => form('/oauth/token', { grant_type: 'refresh_token', client_id: 'unknown' }),
  },
  'introspection': {
    status: 200,
    request: (access) => form('/oauth/introspect', { token: access.accessToken }, basic(access)),
  },
  'revocation': {
    status: 200,
    request: (access) => form('/oauth/revoke', { token: 'unknown' }, basic(access)),
  },
  'device': {
    status: 200,
    request: (access) => form('/oauth/device/authorization', { scope: 'openid' }, basic(access)),
  },
  'authorization': { status: 200, request: authorization },
  'logout': {
    status: 200,
    request: ({ idToken }) => ({
      path: `/oauth/logout?id_token_hint=${idToken}`,
      headers: { accept: 'text/html' },
    }),
  },
}

/** Registers an application with a service account, and signs the administrator in to it. */
export async function signInToApplication(product: Product): Promise<Access> {
  const { token } = await signIn(product, ADMIN)
  const service = { kind: 'service', username: 'Reports' }
  const { body: account } = await product.request('/users', { body: service, token })
  const app = await register(product, token, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
    serviceAccountId: account.id,
  })
  const offline = { scope: 'openid offline_access', prompt: 'consent' }
  const { answer, checks } = await codeOf(app, ADMIN, offline)
  const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
  return {
    clientId: app.clientId,
    secret: app.clientSecret,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token!,
    idToken: tokens.id_token!,
  }
}

/** One kind of request on a connection of its own, and the violations in its answers. */
export class TrafficLine {
  readonly statuses: number[] = []
  readonly violations: string[] = []
  #connection: RawConnection | null = null

  constructor(
    readonly product: () => Product,
    readonly kind: string,
    readonly access: Access
  ) {}

  /** @returns the status, or null if the process was killed before it answered */
  async send() {
    const { request, status: expected } = TRAFFIC[this.kind]
    this.#connection ??= await RawConnection.open(this.product().url)
    const text = await this.#connection.send(request(this.access))
    const status = statusOf(text)
    this.statuses.push(status)
    const isRefused = status === 503 && /\r\nretry-after: [1-9]/i.test(text)
    if (status !== expected && !isRefused)
      this.violations.push(`${this.kind}: ${text.slice(0, 1_500)}`)
    return status
  }

  /** Ends the connection. By now, an answer without a request would have arrived. */
  close() {
    const { surplus = '' } = this.#connection ?? {}
    if (surplus) this.violations.push(`${this.kind} was answered twice: ${surplus}`)
    this.#connection?.close()
    this.#connection = null
  }
}
