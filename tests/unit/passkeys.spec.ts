import { test } from '@japa/runner'
import { passkeyOrigins, relyingPartyId } from '#setup/environment/passkey_rules'
import { assertPasskeyDomain } from '#setup/environment/assertions'
import { problemOf } from '#health/checks/passkeys_check'
import { authenticatorOf } from '#auth/passkeys/aaguids'

function domainOf(settings: Record<string, string>) {
  return () => assertPasskeyDomain({ get: (name) => settings[name] })
}

test.group('Passkeys | settings', () => {
  test('origins are kept as browsers write them', ({ assert }) => {
    const app = `android:apk-key-hash:${'a'.repeat(43)}`
    const given = `https://App.example.org:443/, http://localhost:3000, ${app}`
    const origins = ['https://app.example.org', 'http://localhost:3000', app]
    assert.deepEqual(passkeyOrigins()('ORIGINS', given), origins)
  })

  test('the domain is in small letters, or missing', ({ assert }) => {
    assert.equal(relyingPartyId()('DOMAIN', 'Example.ORG'), 'example.org')
    assert.equal(relyingPartyId()('DOMAIN', 'localhost'), 'localhost')
    assert.isUndefined(relyingPartyId()('DOMAIN', ''))
  })

  test('{rpId} fits {appUrl}')
    .with([
      { appUrl: 'https://auth.example.org', rpId: 'auth.example.org' },
      { appUrl: 'https://auth.example.org', rpId: 'example.org' },
      { appUrl: 'https://auth.example.org', rpId: '' },
    ])
    .run(({ assert }, { appUrl, rpId }) => {
      assert.doesNotThrow(domainOf({ APP_URL: appUrl, PASSKEY_RP_ID: rpId }))
    })

  test('{rpId} does not fit {appUrl}')
    .with([
      { appUrl: 'https://auth.example.org', rpId: 'example.com' },
      { appUrl: 'https://auth.example.org', rpId: 'app.example.org' },
      { appUrl: 'https://badexample.org', rpId: 'example.org' },
    ])
    .run(({ assert }, { appUrl, rpId }) => {
      assert.throws(domainOf({ APP_URL: appUrl, PASSKEY_RP_ID: rpId }), /environment/i)
    })

  test('{appUrl} can have passkeys: {can}')
    .with([
      { appUrl: 'https://auth.example.org', can: true },
      { appUrl: 'http://localhost:3333', can: true },
      { appUrl: 'http://auth.example.org', can: false },
      { appUrl: 'http://127.0.0.1:3333', can: false },
      { appUrl: 'https://[2001:db8::1]', can: false },
    ])
    .run(({ assert }, { appUrl, can }) => {
      assert.equal(problemOf(new URL(appUrl)) === null, can)
    })

  test('a known AAGUID names its holder', ({ assert }) => {
    assert.equal(authenticatorOf('bada5566-a7aa-401f-bd96-45619a55120d'), '1Password')
    assert.isNull(authenticatorOf('00000000-0000-0000-0000-000000000000'))
  })
})
