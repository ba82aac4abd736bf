import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { deleteUser } from '#users/delete_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { bearer, createAdmin } from '#tests/support/fixtures'
import { application, type Application } from '#tests/support/oidc'
import { answer } from './openid_steps.ts'
import { outcomeOf } from './sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | A client that acts for a service account × what happens to either. The outcome is for its present
 | token, and for the next token that it requests.
 */

const SCOPE = 'users:read'

interface Scene {
  client: ApiClient
  accountId: string
  app: Application
}

async function sceneOf(client: ApiClient): Promise<Scene> {
  const { id } = await addServiceAccount({ username: 'Reports', role: 'Admin' }, SYSTEM)
  const app = await application({
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['openid', SCOPE],
    serviceAccountId: id,
  })
  return { client, accountId: id, app }
}

async function replaceAccount({ app }: Scene) {
  const { id } = await addServiceAccount({ username: 'Other' }, SYSTEM)
  await updateClient(app.client.id, { serviceAccountId: id }, SYSTEM)
}

async function rotateTwice({ app }: Scene) {
  await rotateSecret(app.client.id, SYSTEM)
  await rotateSecret(app.client.id, SYSTEM)
}

/** The end of one client does not end another client of the same account. */
async function endOther({ accountId: serviceAccountId }: Scene) {
  const grantTypes = ['client_credentials' as const]
  const other = await application({ grantTypes, redirectUris: [], serviceAccountId })
  await token(other, 'openid')
  await deleteClient(other.client.id, SYSTEM)
}

const token = ({ config }: Application, scope = SCOPE) =>
  oidc.clientCredentialsGrant(config, { scope, resource: settings.issuer })

const EVENTS: Record<string, (scene: Scene) => Promise<unknown>> = {
  'nothing': async () => {},
  'disabling': ({ accountId }) => disableUser(accountId, {}, SYSTEM),
  'demotion': ({ accountId }) => changeRole(accountId, 'User', SYSTEM),
  'deletion': ({ accountId }) => deleteUser(accountId, SYSTEM),
  'the end of its sessions': ({ accountId }) => endAllSessionsAs(accountId, SYSTEM),
  'another account': replaceAccount,
  'deletion of the client': ({ app }) => deleteClient(app.client.id, SYSTEM),
  'deletion of another client': endOther,
  'another secret': ({ app }) => rotateSecret(app.client.id, SYSTEM),
  'another secret twice': rotateTwice,
  'another grant type': ({ app }) =>
    updateClient(app.client.id, { ...PUBLIC_CODE, serviceAccountId: null }, SYSTEM),
}

const PUBLIC_CODE = {
  grantTypes: ['authorization_code' as const],
  redirectUris: ['https://app.example.org/callback'],
}

const REVOKED = '401 E_TOKEN_REVOKED'

/** The outcome for the client's present token, and for its request for another token. */
const MATRIX: Record<keyof typeof EVENTS, { present: string; next: string }> = {
  'nothing': { present: '200', next: '200' },
  'disabling': { present: REVOKED, next: 'unauthorized_client' },
  'demotion': { present: REVOKED, next: '403 E_INSUFFICIENT_SCOPE' },
  'deletion': { present: REVOKED, next: 'unauthorized_client' },
  'the end of its sessions': { present: REVOKED, next: '200' },
  'another account': { present: REVOKED, next: '403 E_INSUFFICIENT_SCOPE' },
  'deletion of the client': { present: REVOKED, next: 'invalid_client' },
  'deletion of another client': { present: '200', next: '200' },
  'another secret': { present: '200', next: '200' },
  'another secret twice': { present: '200', next: 'invalid_client' },
  'another grant type': { present: REVOKED, next: 'unauthorized_client' },
}

test.group('Matrix | service accounts by event', () => {
  const cells = Object.entries(MATRIX).map(([event, outcomes]) => ({ event, ...outcomes }))

  const use = async ({ client }: Scene, accessToken: string) =>
    outcomeOf(await client.get('/users').headers(bearer(accessToken)))

  async function renewed(scene: Scene) {
    return token(scene.app).then(
      (tokens) => use(scene, tokens.access_token),
      (error) => answer(Promise.reject(error))
    )
  }

  test('a token after {event}: {present}, the next: {next}')
    .with(cells)
    .run(async ({ client, assert }, { event, present, next }) => {
      await createAdmin()
      const scene = await sceneOf(client)
      const { access_token: accessToken } = await token(scene.app)
      assert.equal(await use(scene, accessToken), '200')
      await EVENTS[event](scene)
      assert.deepEqual([await use(scene, accessToken), await renewed(scene)], [present, next])
    })
})
