import { test } from '@japa/runner'
import { assertRedirectUris, canBeIntercepted, isRegistered } from '#oidc/clients/redirect_uris'
import type { ClientSettings } from '#oidc/clients/client'

const PATH = '/callback?a=1'

function accepts(uri: string, settings: Partial<ClientSettings> = {}) {
  const client = {
    redirectUris: [uri],
    postLogoutRedirectUris: [uri],
    grantTypes: ['authorization_code'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    allowHttp: false,
    ...settings,
  }
  try {
    assertRedirectUris(client as ClientSettings)
    return true
  } catch {
    return false
  }
}

const PRIVATE = [
  '10.0.0.1',
  '10.255.255.255:8080',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.1.1',
  '0xa.1',
  '167772161',
  '012.0.0.1',
  '10.0.0.1.',
  '[fd12:3456::1]',
  '[fc00::1]:8443',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
  'grafana',
  'grafana:3000',
  'nas_1',
  'nas.local',
  'NAS.Local',
  'a.b.internal',
  'media.home.arpa',
  'router.lan',
  'app.localhost:4000',
]

const PUBLIC = [
  'example.org',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '0.0.0.0',
  '127.0.0.2',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '[2001:db8::1]',
  '[2606:4700::1111]',
  '[fe00::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[::]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::10.0.0.1]',
  '[2002:a00:1::]',
  '10.0.0.1.evil.com',

  'localhost.evil.com',
  'local.evil.com',
  'nas.local.evil.com',
  'nas.locale',
  'evil-local.com',
  'foo.internal.',
  'home.arpa',
  'x.arpa',
  '.local',
  'a..local',
  'xn--lcal-5qa.com',
  'evil.com%2f.local',
  'evil.com%00.local',
]

test.group('Redirect address | http', () => {
  test('{$self} is private')
    .with(PRIVATE)
    .run(({ assert }, host) => {
      assert.isTrue(accepts(`http://${host}${PATH}`, { allowHttp: true }))
      assert.isFalse(accepts(`http://${host}${PATH}`))
    })

  test('{$self} is not private')
    .with(PUBLIC)
    .run(({ assert }, host) => {
      assert.isFalse(accepts(`http://${host}${PATH}`, { allowHttp: true }))
    })

  test('{$self} is on loopback')
    .with(['localhost', 'localhost:4000', '127.0.0.1:4000', '[::1]:4000', '0x7f.1', '2130706433'])
    .run(({ assert }, host) => {
      assert.isTrue(accepts(`http://${host}${PATH}`))
      assert.isTrue(accepts(`http://${host}${PATH}`, { tokenEndpointAuthMethod: 'none' }))
    })
})

test.group('Redirect address | form', () => {
  test('{$self} is one, with and without a secret')
    .with(['https://example.org/cb', 'com.example.app:/cb', 'app.immich:///cb', 'cursor://x/y'])
    .run(({ assert }, uri) => {
      assert.isTrue(accepts(uri))
      assert.isTrue(accepts(uri, { tokenEndpointAuthMethod: 'none' }))
    })

  test('{$self} is none')
    .with([
      'https://*.example.org/cb',
      'http://*.local/cb',
      'https://example.org/cb#x',
      'https://user@example.org/cb',
      'https://user:secret@example.org/cb',
      'https://@example.org/cb',
      'http://10.0.0.1@evil.com/cb',
      'http://evil.com@10.0.0.1/cb',
      'http://evil.com\\@10.0.0.1/cb',
      'https:example.org/cb',
      'http:/10.0.0.1/cb',
      'https://münchen.local/cb',
      ' https://example.org/cb',
      'http://10.0.0.1/\tcb',
      'com.example.app://user@host/cb',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'view-source:https://example.org',
      'filesystem:https://example.org/x',
      'data:text/html,x',
      '/cb',
      '',
    ])
    .run(({ assert }, uri) => {
      assert.isFalse(accepts(uri, { allowHttp: true }))
      assert.isFalse(accepts(uri, { allowHttp: true, tokenEndpointAuthMethod: 'none' }))
    })
})

test.group('Redirect address | comparison', () => {
  const LOOPBACK = 'http://127.0.0.1:4000/cb?a=1'

  test('{sent} is registered, of public clients alone')
    .with([
      { sent: 'http://127.0.0.1:51004/cb?a=1' },
      { sent: 'http://127.0.0.1/cb?a=1' },
      { sent: LOOPBACK },
    ])
    .run(({ assert }, { sent }) => {
      assert.isTrue(isRegistered(sent, [LOOPBACK], true))
      assert.equal(isRegistered(sent, [LOOPBACK], false), sent === LOOPBACK)
    })

  test('{$self} is another address, of public clients too')
    .with([
      'http://localhost:4000/cb?a=1',
      'http://[::1]:4000/cb?a=1',
      'http://127.0.0.1:4000/cb?a=2',
      'http://127.0.0.1:4000/cb',
      'http://127.0.0.1:4000/cb?a=1#x',
      'http://user@127.0.0.1:4000/cb?a=1',
      'http://127.0.0.1:4000@evil.com/cb?a=1',
      'http://127.0.0.1.evil.com:4000/cb?a=1',
      'http://127.0.0.1:400000/cb?a=1',
      'http://127.1:51004/cb?a=1',
      'https://127.0.0.1:4000/cb?a=1',
    ])
    .run(({ assert }, sent) => assert.isFalse(isRegistered(sent, [LOOPBACK], true)))

  test('a private address keeps its port', ({ assert }) => {
    const [registered, sent] = ['http://10.0.0.1:80/cb', 'http://10.0.0.1:81/cb']
    assert.isFalse(isRegistered(sent, [registered], true))
  })
})

test.group('Redirect address | click', () => {
  test('{uri} needs one: with a secret {withSecret}, without {without}')
    .with([
      { uri: 'https://example.org/cb', withSecret: false, without: false },
      { uri: 'http://localhost:4000/cb', withSecret: false, without: true },
      { uri: 'http://10.0.0.1/cb', withSecret: true, without: true },
      { uri: 'http://app.localhost/cb', withSecret: true, without: true },
      { uri: 'http://nas.local/cb', withSecret: true, without: true },
      { uri: 'com.example.app:/cb', withSecret: true, without: true },
    ])
    .run(({ assert }, { uri, withSecret, without }) => {
      assert.equal(canBeIntercepted(uri, false), withSecret)
      assert.equal(canBeIntercepted(uri, true), without)
    })
})
