import { test } from '@japa/runner'
import { githubApi } from '#setup/environment/named_clients'
import { readOidcProviders } from '#setup/environment/oidc_clients'

const VALUES = {
  OIDC_ACME_ISSUER: 'https://acme.example',
  OIDC_ACME_CLIENT_ID: 'gatehouse',
  OIDC_ACME_CLIENT_SECRET: ' secret ',
}

function faultsOf(names: string[], values: Record<string, string>) {
  try {
    readOidcProviders(names, values)
    return ''
  } catch (error: any) {
    return String(error.help ?? error.message)
  }
}

test.group('Environment | OpenID providers', () => {
  test('a provider is read with its client', ({ assert }) => {
    assert.deepEqual(readOidcProviders(['acme'], VALUES), [
      {
        name: 'acme',
        issuer: 'https://acme.example',
        clientId: 'gatehouse',
        clientSecret: 'secret',
        groupsClaim: null,
      },
    ])
  })

  test('{name} is no name of a provider')
    .with(
      ['google', 'github', 'exchange', 'password', 'passkey', 'Acme', '1st'].map((name) => ({
        name,
      }))
    )
    .run(({ assert }, { name }) => {
      const prefix = `OIDC_${name.toUpperCase()}`
      const values = {
        [`${prefix}_ISSUER`]: 'https://acme.example',
        [`${prefix}_CLIENT_ID`]: 'gatehouse',
        [`${prefix}_CLIENT_SECRET`]: 'secret',
      }
      assert.include(faultsOf([name], values), 'OIDC_PROVIDERS must list')
    })

  test('every missing value and insecure issuer is named', ({ assert }) => {
    const faults = faultsOf(['acme'], { OIDC_ACME_ISSUER: 'http://acme.example' })
    assert.include(faults, 'OIDC_ACME_ISSUER must be an https address')
    assert.include(faults, 'OIDC_ACME_CLIENT_ID is required')
    assert.include(faults, 'OIDC_ACME_CLIENT_SECRET is required')
  })

  test('the setting {value} names the claim {claim}')
    .with([
      { value: 'off', claim: null },
      { value: '', claim: null },
      { value: ' groups ', claim: 'groups' },
      { value: 'https://acme.example/groups', claim: 'https://acme.example/groups' },
    ])
    .run(({ assert }, { value, claim }) => {
      const [provider] = readOidcProviders(['acme'], { ...VALUES, OIDC_ACME_GROUPS_CLAIM: value })
      assert.equal(provider.groupsClaim, claim)
    })

  test('{claim} is no claim')
    .with(['my groups', 'gröups', 'g'.repeat(129)].map((claim) => ({ claim })))
    .run(({ assert }, { claim }) => {
      const faults = faultsOf(['acme'], { ...VALUES, OIDC_ACME_GROUPS_CLAIM: claim })
      assert.include(faults, 'OIDC_ACME_GROUPS_CLAIM must be the name of a claim')
    })

  test('no group is named like the groups of Kubernetes', ({ assert }) => {
    const values = {
      OIDC_SYSTEM_ISSUER: 'https://acme.example',
      OIDC_SYSTEM_CLIENT_ID: 'gatehouse',
      OIDC_SYSTEM_CLIENT_SECRET: 'secret',
    }
    const claim = { OIDC_SYSTEM_GROUPS_CLAIM: 'groups' }
    assert.equal(faultsOf(['system'], values), '')
    assert.include(faultsOf(['system'], { ...values, ...claim }), 'OIDC_SYSTEM_GROUPS_CLAIM')
  })

  test('the API of {url} is {api}')
    .with([
      { url: 'https://github.com', api: 'https://api.github.com' },
      { url: 'https://acme.ghe.com', api: 'https://api.acme.ghe.com' },
      { url: 'https://git.acme.example', api: 'https://git.acme.example/api/v3' },
    ])
    .run(({ assert }, { url, api }) => {
      assert.equal(githubApi(url), api)
    })
})
