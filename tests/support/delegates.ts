import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { API_SCOPES } from '#oidc/clients/client'
import { addServiceAccount } from '#users/service_accounts'
import { bearer } from './fixtures.ts'
import { application, browserOf, tokensOf, type Application } from './oidc.ts'
import type User from '#models/user'
import type { ClientScope } from '#oidc/clients/client'

/* Applications with tokens for the API, which act for users. */

/** Returns an application with these API scopes (all by default), and its token for the user. */
export async function applicationOf(user: User, scopes: ClientScope[] = API_SCOPES) {
  const app = await application({ kind: 'first_party', scopes: ['openid', ...scopes] })
  return tokenOf(app, user, scopes)
}

/** Returns a token of an existing application for the user. */
export async function tokenOf(app: Application, user: User, scopes: ClientScope[] = API_SCOPES) {
  const asked = { scope: ['openid', ...scopes].join(' '), resource: settings.issuer }
  const tokens = await tokensOf(app, await browserOf(user), asked)
  return { app, clientId: app.client.clientId, headers: bearer(tokens.access_token) }
}

/** Returns a client that acts by `client_credentials` for a service account of administrators. */
export async function serviceApplication() {
  const service = await addServiceAccount({ username: 'Robot', role: 'Admin' }, SYSTEM)
  const app = await application({
    redirectUris: [],
    grantTypes: ['client_credentials'],
    scopes: API_SCOPES,
    serviceAccountId: service.id,
  })
  const asked = { scope: API_SCOPES.join(' '), resource: settings.issuer }
  const tokens = await oidc.clientCredentialsGrant(app.config, asked)
  return { app, service, clientId: app.client.clientId, headers: bearer(tokens.access_token) }
}
