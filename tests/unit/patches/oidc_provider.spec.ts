import { test } from '@japa/runner'
import { generateKeyPair, SignJWT } from 'jose'
import {
  APP,
  BANK_KEY,
  DEVICE_GRANT,
  REDIRECT_URI,
  RESOURCE,
  unpatchedProvider,
} from './unpatched_provider.ts'
import type { UnpatchedProvider } from './unpatched_provider.ts'

/*
 | The faults that `app/oidc/provider/patches` fixes, in the unpatched library. If a test fails, its
 | patch can be removed. The functional tests prove that the patches work.
 */

const FOREVER = 2_000_000_000

function setUp(group: { setup(hook: () => Promise<() => void>): void }) {
  const scene = {} as { unpatched: UnpatchedProvider }
  group.setup(async () => {
    scene.unpatched = await unpatchedProvider()
    return () => scene.unpatched.server.close()
  })
  return scene
}

async function foreignJwt() {
  const { privateKey } = await generateKeyPair('ES256')
  const jwt = new SignJWT({ sub: 'user' }).setProtectedHeader({ alg: 'ES256' })
  return jwt
    .setIssuer('http://127.0.0.1')
    .setAudience('app')
    .setExpirationTime('1h')
    .sign(privateKey)
}

/** Makes a grant of two scopes, one of which the client may have. */
async function grantOf({ provider }: UnpatchedProvider) {
  const grant = new provider.Grant({ accountId: 'user', clientId: 'app', webSessionId: 'web' })
  grant.addOIDCScope('openid email')
  await grant.save()
  return grant
}

test.group('Patches of oidc-provider | tokens', (group) => {
  const scene = setUp(group)

  test('session_id_claim: an ID token has no sid by itself', async ({ assert }) => {
    const client = await scene.unpatched.client()
    assert.isNotOk(client.includeSid())
  })

  test('client_claims: claims that the configuration lacks are left out', async ({ assert }) => {
    const { provider } = scene.unpatched
    const client = await scene.unpatched.client()
    const claims = new provider.Claims({ sub: 'user', department: 'research' }, { client })
    assert.deepEqual(await claims.scope('openid').result(), { sub: 'user' })
  })

  test('id_token_hint: only configured keys verify a hint', async ({ assert }) => {
    const { provider } = scene.unpatched
    const client = await scene.unpatched.client()
    const jwt = await foreignJwt()
    await assert.rejects(() => provider.IdToken.validate(jwt, client))
  })

  test('live_keys: a token is composed once', async ({ assert }) => {
    let compositions = 0
    scene.unpatched.store.onJwt = () => {
      compositions++
      throw new Error('the key is revoked')
    }
    const form = { client_id: 'machine', grant_type: 'client_credentials', resource: RESOURCE }
    const { status } = await scene.unpatched.post('/token', form)
    assert.deepEqual({ status, compositions }, { status: 500, compositions: 1 })
  })

  test('granted_scopes: a scope taken from the client stays', async ({ assert }) => {
    const { provider } = scene.unpatched
    const client = await scene.unpatched.client()
    const { jti: grantId } = await grantOf(scene.unpatched)
    const about = { accountId: 'user', client, grantId, scope: 'openid email' }
    const token = new provider.RefreshToken({ ...about, gty: 'authorization_code' })
    const form = { grant_type: 'refresh_token', refresh_token: await token.save(3_600) }
    const { scope } = await scene.unpatched.post('/token', form)
    assert.equal(scope, 'openid email')
  })

  test('granted_scopes: a claim of a scope taken from the client stays', async ({ assert }) => {
    const grant = await grantOf(scene.unpatched)
    grant.addOIDCClaims(['email'])
    assert.deepEqual(grant.getOIDCClaims(), ['email'])
  })

  test('grant_members: a grant forgets its web session', async ({ assert }) => {
    const grant = await grantOf(scene.unpatched)
    const { payload } = await grant.getValueAndPayload()
    assert.notProperty(payload, 'webSessionId')
  })

  test('refresh_successors: each successor is another token', ({ assert }) => {
    const { RefreshToken } = scene.unpatched.provider
    const ids = [1, 2].map(() => new RefreshToken({}).generateTokenId())
    assert.notEqual(ids[0], ids[1])
  })

  test('sealed_tokens: an opaque token is stored', async ({ assert }) => {
    const { provider, store } = scene.unpatched
    const client = await scene.unpatched.client()
    const before = store.of('AccessToken').length
    const about = { accountId: 'user', client, grantId: 'grant', scope: 'openid' }
    await new provider.AccessToken(about).save()
    assert.lengthOf(store.of('AccessToken'), before + 1)
  })

  test('dpop_proofs: two uses of a proof at once pass', async ({ assert }) => {
    const { ReplayDetection } = scene.unpatched.provider
    const use = () => ReplayDetection.unique('app', 'proof', FOREVER)
    assert.deepEqual(await Promise.all([use(), use()]), [true, true])
  })
})

test.group('Patches of oidc-provider | token endpoint', (group) => {
  const scene = setUp(group)

  test('client_secrets: a secret is compared in clear', async ({ assert }) => {
    const client = await scene.unpatched.client()
    assert.isTrue(await client.compareClientSecret('secret%'))
  })

  test('client_assertions: a key for EdDSA verifies no Ed25519', async ({ assert }) => {
    const claims = { iss: 'bank', sub: 'bank', aud: 'http://127.0.0.1', jti: 'once' }
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'Ed25519' }).setExpirationTime('1m')
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'bank',
      client_secret: '',
      client_assertion: await jwt.sign(BANK_KEY.privateKey),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }
    const { error } = await scene.unpatched.post('/token', form)
    assert.equal(error, 'invalid_client')
  })

  test('client_secrets: a secret that is not encoded is refused', async ({ assert }) => {
    const authorization = `Basic ${Buffer.from('app:secret%').toString('base64')}`
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    const { error } = await scene.unpatched.post('/token', form, { authorization })
    assert.equal(error, 'invalid_request')
  })

  test('service_scopes: a scope that the client lacks fails', async ({ assert }) => {
    const form = { client_id: 'machine', grant_type: 'client_credentials', scope: 'openid email' }
    const { error } = await scene.unpatched.post('/token', form)
    assert.equal(error, 'invalid_scope')
  })

  test('forbidden_grants: a forbidden grant is invalid_request', async ({ assert }) => {
    const { error } = await scene.unpatched.post('/token', { grant_type: 'client_credentials' })
    assert.equal(error, 'invalid_request')
  })

  test('jwt_revocation: a JWT cannot be revoked', async ({ assert }) => {
    const { error } = await scene.unpatched.post('/token/revocation', { token: await foreignJwt() })
    assert.equal(error, 'unsupported_token_type')
  })

  test('device_polling: a device may poll at once again', async ({ assert }) => {
    const { device_code: code } = await scene.unpatched.post('/device/auth', { scope: 'openid' })
    const form = { grant_type: DEVICE_GRANT, device_code: code }
    for (let poll = 1; poll <= 2; poll++) {
      const { error } = await scene.unpatched.post('/token', form)
      assert.equal(error, 'authorization_pending')
    }
  })

  test('unavailable: a database that is down is a server_error', async ({ assert }) => {
    const { store } = scene.unpatched
    store.error = new Error('down')
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    const { status, error } = await scene.unpatched.post('/token', form)
    store.error = undefined
    assert.deepEqual({ status, error }, { status: 500, error: 'server_error' })
  })
})

test.group('Patches of oidc-provider | authorization', (group) => {
  const scene = setUp(group)

  test('web_session: a session of its own has a cookie', async ({ assert }) => {
    const { provider } = scene.unpatched
    const asked: string[] = []
    const cookies = { get: (name: string) => void asked.push(name) }
    await provider.Session.get({ oidc: { cookies } } as never)
    assert.deepEqual(asked, ['_session'])
  })

  test('sign_in_form: a request that waits is stored and redirected', async ({ assert }) => {
    const before = scene.unpatched.store.of('Interaction').length
    const { status } = await scene.unpatched.authorize()
    const stored = scene.unpatched.store.of('Interaction').length - before
    assert.deepEqual({ status, stored }, { status: 303, stored: 1 })
  })

  test('offline_access: the scope is left out', async ({ assert }) => {
    await scene.unpatched.authorize({ scope: 'openid offline_access' })
    const [interaction] = scene.unpatched.store.of('Interaction')
    assert.equal(interaction.params.scope, 'openid')
  })

  test('redirect_addresses: an app with a secret is refused', async ({ assert }) => {
    const { redirect_uris: uris, ...metadata } = APP
    const client = { ...metadata, redirect_uris: ['com.example.app:/callback', ...uris] }
    const { Client } = scene.unpatched.provider
    await assert.rejects(() => Client.validate(client), 'invalid_redirect_uri')
  })

  test('reported_acr: only the class of the session is reported', ({ assert }) => {
    const { OIDCContext } = scene.unpatched.provider as unknown as { OIDCContext: any }
    const oidc = new OIDCContext({})
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'one' } } })
    Object.assign(oidc, { params: { claims }, session: { acr: 'two' } })
    assert.equal(oidc.acr, 'two')
  })

  test('redirect_uri_check: the check is remembered', ({ assert }) => {
    const { OIDCContext } = scene.unpatched.provider as unknown as { OIDCContext: any }
    const oidc = new OIDCContext({})
    oidc.redirectUriCheckPerformed = true
    assert.isTrue(oidc.redirectUriCheckPerformed)
  })

  test('untrusted_redirects: an error leads to the client', async ({ assert }) => {
    const { headers } = await scene.unpatched.authorize({ prompt: 'none' })
    assert.isTrue(headers.get('location')?.startsWith(`${REDIRECT_URI}?error=login_required`))
  })

  test('form_post: its page is in English, and for any address', async ({ assert }) => {
    const answer = await scene.unpatched.authorize({ prompt: 'none', response_mode: 'form_post' })
    assert.include(await answer.text(), 'Submitting Callback')
    const client = await scene.unpatched.client()
    assert.isTrue(client.responseModeAllowed('form_post'))
  })

  test('discovery: the prompts are left out', async ({ assert }) => {
    const discovery = await scene.unpatched.get('/.well-known/openid-configuration')
    assert.notProperty(await discovery.json(), 'prompt_values_supported')
  })
})
