import { test } from '@japa/runner'
import settings from '#config/oidc'
import { toMetadataClient } from '#oidc/client_id_metadata/metadata_client'
import { freshnessOf } from '#oidc/client_id_metadata/document_rows'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'

const URL_OF_CLIENT = new URL('https://mcp.example.org/oauth/client.json')
const CALLBACK = 'https://mcp.example.org/callback'

const DOCUMENT = {
  client_id: URL_OF_CLIENT.href,
  client_name: 'Notes',
  redirect_uris: [CALLBACK, 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

function clientOf(members: object) {
  const text = JSON.stringify({ ...DOCUMENT, ...members })
  return toMetadataClient(URL_OF_CLIENT, text, 0)
}

function reasonOf(text: string) {
  try {
    toMetadataClient(URL_OF_CLIENT, text, 0)
    return null
  } catch (error: any) {
    return error.reason
  }
}

test.group('Client metadata document | address', () => {
  test('{$self} is one')
    .with([
      'https://example.org/client.json',
      'https://example.org/a/?v=1',
      'https://example.org:8443/client',
      'https://xn--mnchen-3ya.example/client',
    ])
    .run(({ assert }, id) => assert.equal(parseMetadataUrl(id)?.href, id))

  test('{$self} is none')
    .with([
      'http://example.org/client',
      'https://example.org',
      'https://example.org/',
      'https://example.org:443/client',
      'https://EXAMPLE.org/client',
      'HTTPS://example.org/client',
      'https://münchen.example/client',
      'https://user@example.org/client',
      'https://user:secret@example.org/client',
      'https://@example.org/client',
      'https://example.org/client#part',
      'https://example.org/client#',
      'https://example.org/a/../client',
      'https://example.org/%2e%2e/client',
      'https://example.org/./client',
      'https://example.org\\client',
      'https://example.org/cli\tent',
      ' https://example.org/client',
      'https://127.0.0.1/client',
      'https://2130706433/client',
      'https://[::1]/client',
      'https://localhost/client',
      'https://example.org./client',
      'https:example.org/client',
      'https:///example.org/client',
      `https://example.org/${'a'.repeat(256)}`,
    ])
    .run(({ assert }, id) => assert.isNull(parseMetadataUrl(id)))
})

test.group('Client metadata document | members', () => {
  test('is a public client, named by its host', ({ assert }) => {
    const client = clientOf({})
    assert.equal(client.name, 'mcp.example.org')
    assert.equal(client.claimedName, 'Notes')
    assert.equal(client.kind, 'third_party')
    assert.equal(client.tokenEndpointAuthMethod, 'none')
    assert.deepEqual(client.grantTypes, ['authorization_code', 'refresh_token'])
    assert.deepEqual(client.redirectUris, DOCUMENT.redirect_uris)
    assert.deepEqual(client.scopes, ['openid', 'profile', 'email', 'offline_access'])
  })

  test('what is not for it to say is left out', ({ assert }) => {
    const client = clientOf({
      kind: 'first_party',
      gatehouse: { kind: 'first_party', scopes: ['users:write'] },
      grant_types: ['authorization_code', 'client_credentials', 'password'],
      scope: 'openid users:write clients:write',
      logo_uri: 'javascript:alert(1)',
      backchannel_logout_uri: 'http://169.254.169.254/',
      post_logout_redirect_uris: ['https://evil.example/'],
      jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
    })
    assert.equal(client.kind, 'third_party')
    assert.deepEqual(client.grantTypes, ['authorization_code'])
    assert.deepEqual(client.scopes, ['openid'])
    assert.isNull(client.backchannelLogoutUri)
    assert.deepEqual(client.postLogoutRedirectUris, [])
    assert.notInclude(JSON.stringify(client), 'javascript')
  })

  test('the redirect address {$self} is left out')
    .with([
      'https://evil.example/callback',
      'https://mcp.example.org.evil.example/callback',
      'https://mcp.example.org:8443/callback',
      'https://sub.mcp.example.org/callback',
      'http://mcp.example.org/callback',
      'http://192.168.0.1/callback',
      'http://127.0.0.1.evil.example/callback',
      'https://user@mcp.example.org/callback',
      'https://mcp.example.org/callback#part',
      'https://mcp.example.org\\@evil.example/callback',
      'javascript:alert(1)//https://mcp.example.org',
      'data:text/html,x',
      'com.example.notes:/callback',
    ])
    .run(({ assert }, uri) => {
      const { redirectUris } = clientOf({ redirect_uris: [uri, CALLBACK, 7, null] })
      assert.deepEqual(redirectUris, [CALLBACK])
    })

  test('{members} is refused: {reason}')
    .with([
      { members: { client_id: `${URL_OF_CLIENT}?` }, reason: 'client_id' },
      { members: { client_id: [URL_OF_CLIENT.href] }, reason: 'client_id' },
      { members: { client_secret: 'x' }, reason: 'secret' },
      { members: { client_secret: null }, reason: 'secret' },
      { members: { client_secret_expires_at: 0 }, reason: 'secret' },
      { members: { token_endpoint_auth_method: 'client_secret_basic' }, reason: 'secret' },
      { members: { token_endpoint_auth_method: 'client_secret_jwt' }, reason: 'secret' },
      { members: { token_endpoint_auth_method: 'private_key_jwt' }, reason: 'secret' },
      { members: { client_name: '' }, reason: 'name' },
      { members: { client_name: 7 }, reason: 'name' },
      { members: { client_name: 'x'.repeat(101) }, reason: 'name' },
      { members: { client_name: 'Grafana\u202Egro' }, reason: 'name' },
      { members: { client_name: 'Graf\u200Bana' }, reason: 'name' },
      { members: { grant_types: ['implicit'] }, reason: 'grant_types' },
      { members: { grant_types: 'authorization_code' }, reason: 'grant_types' },
      { members: { response_types: ['token'] }, reason: 'grant_types' },
      { members: { redirect_uris: [] }, reason: 'redirect_uris' },
      { members: { redirect_uris: CALLBACK }, reason: 'redirect_uris' },
      { members: { redirect_uris: ['https://evil.example/'] }, reason: 'redirect_uris' },
    ])
    .run(({ assert }, { members, reason }) => {
      assert.equal(reasonOf(JSON.stringify({ ...DOCUMENT, ...members })), reason)
    })

  test('{$self} is no document')
    .with(['', 'null', '[]', '7', '"x"', '{', '{"a":1}}', '\uFEFF'])
    .run(({ assert }, text) => assert.equal(reasonOf(text), 'not_json'))

  test('of a member given twice the last counts, and is checked', ({ assert }) => {
    const text = JSON.stringify(DOCUMENT).slice(0, -1)
    assert.equal(reasonOf(`${text},"client_id":"https://evil.example/c"}`), 'client_id')
    assert.equal(reasonOf(`${text},"redirect_uris":["https://evil.example/"]}`), 'redirect_uris')
    assert.equal(reasonOf(`${text},"__proto__":{"client_secret":"x"}}`), null)
  })

  test('the operator can allow scopes of the API', ({ assert, cleanup }) => {
    settings.documents.scopes = ['profile:read']
    cleanup(() => void (settings.documents.scopes = []))
    assert.include(clientOf({}).scopes, 'profile:read')
    assert.deepEqual(clientOf({ scope: 'openid profile:read users:read' }).scopes, [
      'openid',
      'profile:read',
    ])
  })
})

test.group('Client metadata document | algorithm of ID tokens', () => {
  test('{given} is {taken}')
    .with([
      { given: undefined, taken: 'RS256' },
      { given: 'RS256', taken: 'RS256' },
      { given: 'ES256', taken: 'ES256' },
      { given: 'EdDSA', taken: 'EdDSA' },
      { given: 'PS256', taken: 'RS256' },
      { given: 'none', taken: 'RS256' },
      { given: { alg: 'ES256' }, taken: 'RS256' },
    ])
    .run(({ assert }, { given, taken }) => {
      const { idTokenAlgorithm } = clientOf({ id_token_signed_response_alg: given })
      assert.equal(idTokenAlgorithm, taken)
    })
})

test.group('Client metadata document | freshness', () => {
  test('{control} is {minutes} minutes')
    .with([
      { control: undefined, minutes: 60 },
      { control: 'no-store', minutes: 5 },
      { control: 'no-cache, max-age=7200', minutes: 5 },
      { control: 'public, max-age=7200', minutes: 120 },
      { control: 's-maxage=1, max-age=600', minutes: 10 },
      { control: 'max-age=0', minutes: 5 },
      { control: 'max-age=299', minutes: 5 },
      { control: 'max-age=301', minutes: 301 / 60 },
      { control: 'max-age=999999999', minutes: 1_440 },
      { control: 'max-age=-1', minutes: 60 },
      { control: 'nonsense', minutes: 60 },
    ])
    .run(({ assert }, { control, minutes }) => {
      assert.equal(freshnessOf({ 'cache-control': control }), minutes * 60_000)
    })
})
