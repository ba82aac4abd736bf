import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { test } from '@japa/runner'
import oidc from '#config/oidc'
import { DEFAULTS } from '#oidc/clients/client_fields'
import { plainValues, settingsFor } from '#pages/clients/settings'
import { ini, json, kotlin, ruby, shell } from '#pages/clients/quoting'
import type { ClientSettings, OAuthClient } from '#oidc/clients/client'

const HOSTILE = `https://x.example.org/cb?a='$(id)'\`id\`;#{1}%{2}$&"\\`

const GRAFANA = 'https://grafana.example.org/login/generic_oauth'

function clientWith(settings: Partial<ClientSettings>): OAuthClient {
  const secrets = { secretHash: 'hash', previousSecretHash: null, previousSecretUntil: null }
  const times = { createdAt: 0, updatedAt: 0 }
  const ids = { id: 'id', clientId: '5f0c2a9d41be7730c8e1d6f2', name: 'Grafana' }
  return { ...DEFAULTS, redirectUris: [GRAFANA], ...ids, ...secrets, ...times, ...settings }
}

function textFor(id: string, client: OAuthClient, secret: string | null = null) {
  return settingsFor(client, secret).find((each) => each.id === id)!.text
}

function namesFor(settings: Partial<ClientSettings>) {
  return settingsFor(clientWith(settings), null).map(({ id }) => id)
}

test.group('Settings to copy', () => {
  test('name applications that can keep a secret', ({ assert }) => {
    assert.deepEqual(namesFor({}), ['grafana', 'gitlab', 'nextcloud', 'oauth2_proxy'])
    assert.deepEqual(namesFor({ tokenEndpointAuthMethod: 'none' }), ['spa', 'native'])
    assert.deepEqual(namesFor({ redirectUris: [] }), [])
    assert.deepEqual(namesFor({ grantTypes: ['client_credentials'] }), [])
  })

  test('open those that the address is of', ({ assert }) => {
    const likely = settingsFor(clientWith({}), null).filter(({ isLikely }) => isLikely)
    const app = clientWith({ tokenEndpointAuthMethod: 'none', redirectUris: ['com.acme:/cb'] })
    const likelyOfApp = settingsFor(app, null).filter(({ isLikely }) => isLikely)
    const web = clientWith({ tokenEndpointAuthMethod: 'none', redirectUris: ['http://localhost/'] })
    assert.deepEqual([likely[0].id, likely.length], ['grafana', 1])
    assert.isTrue(settingsFor(web, null).find(({ id }) => id === 'spa')!.isLikely)
    assert.deepEqual([likelyOfApp[0].id, likelyOfApp.length], ['native', 1])
  })

  test('have the secret only where it is given', ({ assert }) => {
    for (const { text } of settingsFor(clientWith({}), 'ghs_secret')) {
      assert.include(text, 'ghs_secret')
      assert.include(text, '5f0c2a9d41be7730c8e1d6f2')
      assert.include(text, oidc.issuer)
    }
    for (const { text } of settingsFor(clientWith({}), null)) assert.include(text, 'CLIENT_SECRET')
    assert.notInclude(JSON.stringify(plainValues(clientWith({}), null)), 'client_secret')
  })

  test('send the secret as the client is registered', ({ assert }) => {
    const posting = clientWith({ tokenEndpointAuthMethod: 'client_secret_post' })
    assert.include(textFor('grafana', clientWith({})), 'auth_style = InHeader')
    assert.include(textFor('grafana', posting), 'auth_style = InParams')
    assert.include(textFor('gitlab', clientWith({})), "client_auth_method: 'basic'")
    assert.include(textFor('gitlab', posting), "client_auth_method: 'query'")
  })

  test('ask for no scope that the client lacks', ({ assert }) => {
    const client = clientWith({ scopes: ['openid', 'users:read', 'email'] })
    assert.include(textFor('grafana', client), 'scopes = openid email\n')
    assert.include(textFor('gitlab', client), "scope: ['openid', 'email'],")
  })

  test('let an app stay signed in, a third party by consent', ({ assert }) => {
    const app = { tokenEndpointAuthMethod: 'none' } as const
    const own = textFor('native', clientWith({ ...app, kind: 'first_party' }))
    assert.include(own, '.setScope("openid profile email offline_access").build()')
    const other = textFor('native', clientWith(app))
    assert.include(other, '.setPrompt("consent").build()')
    const brief = textFor('native', clientWith({ ...app, scopes: ['openid'] }))
    assert.include(brief, '.setScope("openid").build()')
  })

  test('of Nextcloud are words of a shell', ({ assert }) => {
    const script = `occ() { printf '%s\\n' "$@"; }\n${textFor('nextcloud', clientWith({}), "a'b")}`
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')
    assert.includeMembers(words, [
      'user_oidc:provider',
      '--clientid=5f0c2a9d41be7730c8e1d6f2',
      "--clientsecret=a'b",
      `--discoveryuri=${oidc.issuer}/.well-known/openid-configuration`,
      '--scope=openid profile email',
    ])
  })
})

test.group('Settings to copy | quoting', () => {
  test('a shell reads back what was quoted', ({ assert }) => {
    const read = execFileSync('sh', ['-c', `printf %s ${shell(HOSTILE)}`], { encoding: 'utf8' })
    assert.equal(read, HOSTILE)
  })

  test('JavaScript reads back what was quoted', ({ assert }) => {
    assert.equal(runInNewContext(json(HOSTILE)), HOSTILE)
  })

  test('Ruby and Kotlin find nothing to fill in', ({ assert }) => {
    assert.equal(ruby(`a'b\\c#{d}`), String.raw`'a\'b\\c#{d}'`)
    assert.equal(kotlin('a"b$c'), String.raw`"a\"b\$c"`)
  })

  test('an INI file has no comment in a value', ({ assert }) => {
    assert.equal(ini('Acme; & Sons'), '"Acme; & Sons"')
    assert.equal(ini('Acme & Sons'), 'Acme & Sons')
  })
})
