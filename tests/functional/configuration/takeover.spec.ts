import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import sharp from 'sharp'
import { CLIENT_QUEUE } from '#config/queue'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { findClient } from '#oidc/clients/client_rows'
import { createClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { DEFAULTS, type NewClient } from '#oidc/clients/client_fields'
import { changeLogo } from '#oidc/clients/logo'
import { isSecretOf } from '#oidc/clients/secrets'
import { apply, someNames } from '#tests/support/configuration'
import { createUser } from '#tests/support/fixtures'
import { drain } from '#tests/support/mail'
import { application, authorizationRequest, browserOf, type Application } from '#tests/support/oidc'

/* A leaked key may have registered a client that a file or an administrator trusts further. */

const GIVEN = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const FOREIGN = 'https://evil.example'

type Names = ReturnType<typeof someNames>

async function registered({ client: clientId }: Names, given: Partial<NewClient> = {}) {
  const { client, clientSecret } = await createClient(
    {
      name: clientId,
      clientId,
      redirectUris: [`${FOREIGN}/cb`],
      postLogoutRedirectUris: [`${FOREIGN}/out`],
      backchannelLogoutUri: `${FOREIGN}/logout`,
      homeUrl: FOREIGN,
      ...given,
    },
    SYSTEM
  )
  return { id: client.id, secret: clientSecret! }
}

/** @returns the refresh token of a user who has allowed access to the application */
async function allowed(app: Application) {
  const browser = await browserOf(await createUser())
  const asked = { scope: 'openid offline_access', prompt: 'consent' }
  const { url, checks } = await authorizationRequest(app, asked)
  const page = await browser.open(url)
  const answer = await browser.submit(page, /^\/oauth\/interaction\//, { decision: 'allow' })
  const { refresh_token: token } = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
  return token!
}

async function refreshed({ config }: Application, token: string) {
  const { refresh_token: next } = await oidc.refreshTokenGrant(config, token)
  return next!
}

function somePicture() {
  const create = { width: 8, height: 8, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).png().toBuffer()
}

const TRUSTING = {
  'first party': () => 'kind: first_party',
  'access to the API': () => 'scopes: [users:read]',
  'a service account': ({ account }: Names) =>
    `grantTypes: [client_credentials]\n    serviceAccount: ${account}`,
}

function text(names: Names, settings: string) {
  return `
serviceAccounts: [{ username: ${names.account} }]
clients:
  - clientId: ${names.client}
    redirectUris: [https://app.example.org/cb]
    ${settings}
`
}

test.group('Configuration files | a client that was here', (group) => {
  group.setup(() => {
    process.env.TAKEOVER_SECRET = GIVEN
    return () => {
      delete process.env.TAKEOVER_SECRET
    }
  })

  test('{$self} by a file ends the secret and resets the addresses')
    .with(Object.keys(TRUSTING) as (keyof typeof TRUSTING)[])
    .run(async ({ assert }, gets) => {
      const names = someNames()
      const { secret } = await registered(names)
      const settings = `${TRUSTING[gets](names)}\n    secretFrom: env:TAKEOVER_SECRET`
      const { changes } = await apply(text(names, settings), { name: names.file })
      const { fields } = changes.find(({ kind }) => kind === 'client')!
      const reset = ['postLogoutRedirectUris', 'backchannelLogoutUri', 'homeUrl']
      assert.includeMembers(fields, [...reset, 'clientSecret'])
      const client = (await findClient(names.client))!
      assert.isTrue(isSecretOf(client, GIVEN))
      assert.isFalse(isSecretOf(client, secret))
      assert.notInclude(JSON.stringify(client), FOREIGN)
    })

  test('{$self} by a file without a secret is a fault')
    .with(Object.keys(TRUSTING) as (keyof typeof TRUSTING)[])
    .run(async ({ assert }, gets) => {
      const names = someNames()
      await registered(names)
      const applied = apply(text(names, TRUSTING[gets](names)), { name: names.file })
      await assert.rejects(() => applied, /secretFrom/)
    })

  test('a file that trusts it with no more keeps what it does not name', async ({ assert }) => {
    const names = someNames()
    const { secret } = await registered(names)
    const { changes } = await apply(text(names, 'requirePkce: true'), { name: names.file })
    const { fields } = changes.find(({ kind }) => kind === 'client')!
    assert.sameMembers(fields, ['redirectUris', 'requirePkce'])
    const client = (await findClient(names.client))!
    assert.isTrue(isSecretOf(client, secret))
    assert.equal(client.homeUrl, FOREIGN)
  })

  test('the first secret of a file that trusts it with no more ends the former, {when}')
    .with([
      { when: 'at once', earlier: [] },
      { when: 'also where the file named it before', earlier: ['requirePkce: true'] },
    ])
    .run(async ({ assert }, { earlier }) => {
      const names = someNames()
      const { secret } = await registered(names)
      for (const settings of [...earlier, 'secretFrom: env:TAKEOVER_SECRET'])
        await apply(text(names, settings), { name: names.file })
      const client = (await findClient(names.client))!
      assert.deepEqual(
        [GIVEN, secret].map((each) => isSecretOf(client, each)),
        [true, false]
      )
    })

  test('a secret that the file replaces later is good for a day', async ({ assert, cleanup }) => {
    const names = someNames()
    cleanup(() => void (process.env.TAKEOVER_SECRET = GIVEN))
    await registered(names)
    const settings = text(names, 'secretFrom: env:TAKEOVER_SECRET')
    await apply(settings, { name: names.file })
    process.env.TAKEOVER_SECRET = GIVEN.toLowerCase()
    await apply(settings, { name: names.file })
    const client = (await findClient(names.client))!
    assert.deepEqual(
      [GIVEN.toLowerCase(), GIVEN].map((each) => isSecretOf(client, each)),
      [true, true]
    )
    const until = client.previousSecretUntil!
    assert.deepEqual(
      [until - 1, until].map((now) => isSecretOf(client, GIVEN, now)),
      [true, false]
    )
  })

  const CHOSEN = {
    name: 'Payroll',
    requireVerifiedEmail: false,
    idTokenClaims: false,
    claims: { plan: '=admin' },
    refreshTokens: 'always',
    refreshTokenTtl: '900d',
    scopes: ['openid'],
    allowHttp: true,
  } satisfies Partial<NewClient>

  test('a file that makes it first party resets what it does not name', async ({ assert }) => {
    const names = someNames()
    await registered(names, CHOSEN)
    const settings = `kind: first_party\n    secretFrom: env:TAKEOVER_SECRET`
    await apply(text(names, settings), { name: names.file })
    const { name, ...client } = (await findClient(names.client))!
    assert.equal(name, names.client)
    const { kind, redirectUris, ...defaults } = DEFAULTS
    assert.containSubset(client, defaults)
  })

  test('what users allowed a public client before ends {when}')
    .with([
      { when: 'at the first file', earlier: [] },
      { when: 'at a later file', earlier: ['requirePkce: true'] },
    ])
    .run(async ({ assert }, { earlier }) => {
      const names = someNames()
      const isPublic = { tokenEndpointAuthMethod: 'none' } as const
      const app = await application({ clientId: names.client, ...isPublic })
      await changeLogo(app.client.id, await somePicture(), SYSTEM)
      const allowedToken = await allowed(app)
      for (const settings of earlier) await apply(text(names, settings), { name: names.file })
      const token = await refreshed(app, allowedToken)
      const settings = 'kind: first_party\n    tokenEndpointAuthMethod: none'
      await apply(text(names, settings), { name: names.file })
      await drain(CLIENT_QUEUE)
      await assert.rejects(() => refreshed(app, token))
      const { logo } = (await findClient(names.client))!
      assert.equal(logo === null, earlier.length === 0)
    })

  test('what keeps users and requests out stays', async ({ assert }) => {
    const names = someNames()
    await createGroup({ name: names.group }, SYSTEM)
    const rule = { access: 'groups', allowedGroups: [names.group] } as const
    const proofs = { requirePar: true, requireDpop: true, requireMfa: true }
    const restrictions = { requirePkce: true, requireVerifiedEmail: true, ...proofs, ...rule }
    await registered(names, { ...restrictions, allowedGroups: [names.group] })
    const settings = `kind: first_party\n    secretFrom: env:TAKEOVER_SECRET`
    await apply(text(names, settings), { name: names.file })
    assert.containSubset((await findClient(names.client))!, restrictions)
  })

  test('one that a file manages already keeps its other fields', async ({ assert }) => {
    const names = someNames()
    await registered(names, CHOSEN)
    await apply(text(names, ''), { name: names.file })
    const settings = `kind: first_party\n    secretFrom: env:TAKEOVER_SECRET`
    await apply(text(names, settings), { name: names.file })
    const client = (await findClient(names.client))!
    assert.deepEqual([client.homeUrl, client.refreshTokens], [null, 'always'])
  })

  test('a client that is trusted keeps its secret in the same file', async ({ assert }) => {
    const names = someNames()
    const settings = `kind: first_party\n    secretFrom: env:TAKEOVER_SECRET`
    await registered(names)
    await apply(text(names, settings), { name: names.file })
    const before = await findClient(names.client)
    const later = text(names, settings.replace(/\n.*/, ''))
    await apply(later, { name: names.file })
    assert.deepEqual(await findClient(names.client), before)
  })

  test('an administrator who trusts it ends its previous secret', async ({ assert }) => {
    const names = someNames()
    const { id, secret } = await registered(names)
    const { clientSecret } = await rotateSecret(id, SYSTEM)
    await updateClient(id, { kind: 'first_party' }, SYSTEM)
    const client = (await findClient(names.client))!
    assert.isTrue(isSecretOf(client, clientSecret!))
    assert.isFalse(isSecretOf(client, secret))
  })
})
