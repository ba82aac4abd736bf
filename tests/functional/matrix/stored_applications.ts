import { setTimeout as wait } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { authorizationRequest, Browser, configure } from '#tests/support/oidc'
import { APP_URL, errorOf, INTERACTION, SIGN_IN } from '../../process/application.ts'
import { at, registerClient } from './stored_clients.ts'
import { register } from './stored_users.ts'
import { IN_REDIS, LOST_COMMIT, NO_CLIENTS, NO_SESSIONS } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const GRANTS = ['authorization_code', 'refresh_token', DEVICE_GRANT]

/** The consent of a user to a third party: the user is not asked again. */
const givenConsent: StoredKind = {
  kept: 'not asked',
  imported: { outcome: '400', because: NO_CLIENTS },
  async make(installation) {
    const { user, clientId, secret } = await at(installation, () => signedInto(installation))
    return (elsewhere) =>
      at(elsewhere, async () => {
        const config = await configure(clientId, secret)
        const { url } = await authorizationRequest({ config }, { scope: 'openid' })
        const browser = new Browser()
        const page = await browser.open(url)
        if (page.response.status !== 200) return String(page.response.status)
        const { email, password } = user
        const answer = await browser.submit(page, SIGN_IN, { email, password })
        return answer.url.searchParams.has('code') ? 'not asked' : 'asked'
      })
  },
}

/** Returns the tokens of an application to which a user has allowed refresh tokens. */
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
  restored: { outcome: 'invalid_grant', because: NO_SESSIONS },
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

/** Proofs may follow each other faster than a device is allowed to poll. */
const POLLING_MS = 6_000

/** A device whose code has not been typed yet. Its record is encrypted. */
const deviceCode: StoredKind = {
  kept: 'authorization_pending',
  restored: { outcome: 'invalid_grant', because: NO_SESSIONS },
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

/** An ID token that an application can still verify with the published keys. */
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

/** A sign-in to an application: its ID token can only be signed with a readable private key. */
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
  'consent': givenConsent,
  'refresh token of an application': applicationRefresh,
  'refresh token that an application revoked': revokedApplicationRefresh,
  'device code': deviceCode,
  'ID token': idToken,
  'signing key': signingKey,
}
