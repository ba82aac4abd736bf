import { setTimeout as wait } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { authorizationRequest, Browser, configure, REDIRECT } from '#tests/support/oidc'
import { APP_URL, errorOf, INTERACTION, SIGN_IN, useProxy } from '../../process/application.ts'
import { register } from './stored_users.ts'
import { IN_REDIS, LOST_COMMIT } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

const NO_CLIENTS = 'Clients belong to an installation: they are registered there'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Whatever is asked for meanwhile goes to this installation. */
async function at<Result>({ product }: Installation, ask: () => Promise<Result>) {
  const restore = useProxy(() => product.url)
  try {
    return await ask()
  } finally {
    restore()
  }
}

interface Registered {
  id: string
  clientId: string
  clientSecret: string
}

/** A registered client; its library is made anew for each installation, whose keys differ. */
function registerClient(installation: Installation, body: object): Promise<Registered> {
  const given = { name: 'Grafana', redirectUris: [REDIRECT], ...body }
  return installation.asAdmin('/oauth-clients', { body: given })
}

/** A client that acts for a service account of its own. */
async function robot(installation: Installation) {
  const body = { kind: 'service', username: 'robot', role: 'Admin' }
  const { id } = await installation.asAdmin('/users', { body })
  const settings = { redirectUris: [], scopes: ['users:read'], serviceAccountId: id }
  return registerClient(installation, { ...settings, grantTypes: ['client_credentials'] })
}

function asRobot({ clientId, clientSecret }: Registered, elsewhere: Installation) {
  return at(elsewhere, async () => {
    const config = await configure(clientId, clientSecret)
    return errorOf(oidc.clientCredentialsGrant(config, { scope: 'users:read' }))
  })
}

const clientSecret: StoredKind = {
  kept: 'good',
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const client = await robot(installation)
    return (elsewhere) => asRobot(client, elsewhere)
  },
}

const deletedClient: StoredKind = {
  kept: 'invalid_client',
  unrevoked: { outcome: 'good', because: LOST_COMMIT },
  async make(installation) {
    const client = await robot(installation)
    const path = `/oauth-clients/${client.id}`
    return {
      revoke: () => installation.asAdmin(path, { method: 'DELETE', body: {} }),
      prove: (elsewhere) => asRobot(client, elsewhere),
    }
  },
}

const GRANTS = ['authorization_code', 'refresh_token', DEVICE_GRANT]

/** Tokens of an application that somebody allowed to renew them. */
async function signedInto(installation: Installation) {
  const user = await register(installation)
  const { clientId, clientSecret: secret } = await registerClient(installation, {
    grantTypes: GRANTS,
  })
  const config = await configure(clientId, secret)
  const browser = new Browser()
  const asked = { scope: 'openid offline_access', prompt: 'consent' }
  const { url, checks } = await authorizationRequest({ config }, asked)
  const { email, password } = user
  const consent = await browser.submit(await browser.open(url), SIGN_IN, { email, password })
  const answer = await browser.submit(consent, INTERACTION, { decision: 'allow' })
  const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks)
  return { user, clientId, secret, tokens }
}

const applicationRefresh: StoredKind = {
  kept: 'good',
  emptied: { outcome: 'invalid_grant', because: IN_REDIS },
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const { clientId, secret, tokens } = await at(installation, () => signedInto(installation))
    return (elsewhere) =>
      at(elsewhere, async () =>
        errorOf(oidc.refreshTokenGrant(await configure(clientId, secret), tokens.refresh_token!))
      )
  },
}

const revokedApplicationRefresh: StoredKind = {
  kept: 'invalid_grant',
  resumed: { outcome: 'good', because: LOST_COMMIT },
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const { clientId, secret, tokens } = await at(installation, () => signedInto(installation))
    const again = async () =>
      errorOf(oidc.refreshTokenGrant(await configure(clientId, secret), tokens.refresh_token!))
    const revoke = async () =>
      oidc.tokenRevocation(await configure(clientId, secret), tokens.refresh_token!)
    return {
      revoke: () => at(installation, revoke),
      prove: (elsewhere) => at(elsewhere, again),
    }
  },
}

/** Proofs may follow each other faster than a device may poll. */
const POLLING_MS = 6_000

/** A device whose code is not typed yet. Its record is encrypted. */
const deviceCode: StoredKind = {
  kept: 'authorization_pending',
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const { clientId, clientSecret: secret } = await registerClient(installation, {
      grantTypes: GRANTS,
    })
    const ask = async () =>
      oidc.initiateDeviceAuthorization(await configure(clientId, secret), { scope: 'openid' })
    const { device_code: code } = await at(installation, ask)
    const poll = async () =>
      oidc.genericGrantRequest(await configure(clientId, secret), DEVICE_GRANT, {
        device_code: code,
      })
    return (elsewhere) =>
      at(elsewhere, async () => {
        const outcome = await errorOf(poll())
        if (outcome !== 'slow_down') return outcome
        await wait(POLLING_MS)
        return errorOf(poll())
      })
  },
}

/** An ID token that an application still checks by the published keys. */
const idToken: StoredKind = {
  kept: 'verified',
  imported: { outcome: 'unknown key', because: 'Private keys belong to an installation' },
  async make(installation) {
    const { tokens } = await at(installation, () => signedInto(installation))
    return async ({ product }) => {
      const keys = createRemoteJWKSet(new URL(`${product.url}/.well-known/jwks.json`))
      const verified = jwtVerify(tokens.id_token!, keys, { issuer: APP_URL })
      return verified.then(
        () => 'verified',
        () => 'unknown key'
      )
    }
  },
}

/** A sign-in to an application: only a private key that can be read signs its ID token. */
const signingKey: StoredKind = {
  kept: 'signed',
  async make() {
    return async (elsewhere) => {
      const { tokens } = await at(elsewhere, () => signedInto(elsewhere))
      return tokens.id_token ? 'signed' : 'none'
    }
  },
}

export const APPLICATIONS: Record<string, StoredKind> = {
  'client with a secret and its service account': clientSecret,
  'deleted client': deletedClient,
  'refresh token of an application': applicationRefresh,
  'refresh token that an application revoked': revokedApplicationRefresh,
  'device code': deviceCode,
  'ID token': idToken,
  'signing key': signingKey,
}
