import { randomUUID } from 'node:crypto'
import * as jose from 'jose'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { createClient } from '#oidc/clients/clients'
import { REDIRECT, throughProxy } from './oidc.ts'
import type { NewClient } from '#oidc/clients/client_fields'

/* Clients that authenticate with their own key (RFC 7523). */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export async function clientKey(alg = 'ES256', kid: string = randomUUID()) {
  const pair = await jose.generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await jose.exportJWK(pair.publicKey)), kid, use: 'sig' }
  return { ...pair, jwk, kid, alg }
}

export type ClientKey = Awaited<ReturnType<typeof clientKey>>

export const FAPI = { requirePar: true, requireDpop: true } as const

/** Registers a client with this key, and returns it with its library. */
export async function strongClient(key: ClientKey, given: Partial<NewClient> = {}) {
  const settled = { name: 'Bank', redirectUris: [REDIRECT], kind: 'first_party' as const }
  const byKey = { tokenEndpointAuthMethod: 'private_key_jwt' } as const
  const jwks = given.jwksUri ? {} : { jwks: { keys: [{ ...key.jwk }] } }
  const { client } = await createClient({ ...settled, ...byKey, ...jwks, ...given }, SYSTEM)
  return { client, key, config: await configureByKey(client.clientId, key) }
}

export type StrongClient = Awaited<ReturnType<typeof strongClient>>

export function configureByKey(clientId: string, { privateKey, kid }: ClientKey) {
  const authentication = oidc.PrivateKeyJwt({ key: privateKey, kid })
  return oidc.discovery(new URL(settings.issuer), clientId, undefined, authentication, {
    [oidc.customFetch]: throughProxy,
    execute: [oidc.allowInsecureRequests],
  })
}

export const now = () => Math.floor(Date.now() / 1_000)

/** Returns an assertion of the client. Members that are undefined are left out. */
export function assertionOf(
  { client, key }: Pick<StrongClient, 'client' | 'key'>,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {}
) {
  const { clientId } = client
  const times = { iat: now(), exp: now() + 60 }
  const own = { iss: clientId, sub: clientId, aud: settings.issuer, jti: randomUUID() }
  const jwt = new jose.SignJWT({ ...own, ...times, ...claims })
  return jwt.setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)
}

export function byAssertion(assertion: string) {
  return { client_assertion: assertion, client_assertion_type: ASSERTION_TYPE }
}
