import { test } from '@japa/runner'
import { fromAuthelia } from '#configuration/import/authelia'
import { fromKeycloak } from '#configuration/import/keycloak'
import { provedOn } from '#tests/support/proved_on'
import type { Imported } from '#configuration/import/imported'

provedOn('sqlite', 'An export of another product becomes a document in memory.')

/* What is imported with a client of another product, and what is left out. */

const AUTHELIA = `
identity_providers:
  oidc:
    authorization_policies:
      staff:
        default_policy: deny
        rules:
          - policy: one_factor
            subject: [['group:staff'], ['group:acme:staff']]
    clients:
      - client_id: robot
        grant_types: [client_credentials]
        client_secret: $plaintext$b4Xk2mPq9sTv7wYz1aCd3eFg5hJk8nRu
      - client_id: broken
        grant_types: [client_credentials]
        client_name: "${'x'.repeat(300)}"
        client_secret: $plaintext$b4Xk2mPq9sTv7wYz1aCd3eFg5hJk8nRu
      - client_id: portal
        authorization_policy: staff
        public: true
        require_pkce: true
        redirect_uris: ['https://portal.example.org/cb']
`

function robotOf(clientId: string, name: string) {
  const secret = 'b4Xk2mPq9sTv7wYz1aCd3eFg5hJk8nRu'
  const acts = { serviceAccountsEnabled: true, standardFlowEnabled: false }
  return { clientId, name, secret, protocol: 'openid-connect', ...acts }
}

const KEYCLOAK = JSON.stringify({
  clients: [robotOf('robot', 'Robot'), robotOf('broken', 'x'.repeat(300))],
})

function leftOut({ clients }: Imported) {
  return clients.filter(({ isLeftOut }) => isLeftOut).map(({ fields }) => fields.clientId)
}

test.group('Client import | left out', () => {
  test('a client of {0} that is refused takes its account with it')
    .with([
      ['Authelia', fromAuthelia, AUTHELIA],
      ['Keycloak', fromKeycloak, KEYCLOAK],
    ] as const)
    .run(async ({ assert }, [, convert, text]) => {
      const imported = await convert(text)
      assert.deepEqual(leftOut(imported), ['broken'])
      const usernames = imported.serviceAccounts.map(({ fields }) => fields.username)
      assert.deepEqual(usernames, ['service-account-robot'])
    })

  test('a group of Authelia with a colon is a comment', async ({ assert }) => {
    const { clients, groups } = await fromAuthelia(AUTHELIA)
    const portal = clients.find(({ fields }) => fields.clientId === 'portal')!
    assert.containSubset(portal.fields, { access: 'groups', allowedGroups: ['staff'] })
    assert.deepEqual(portal.notes, ['allowedGroups: no group may be called acme:staff'])
    const taken = groups.filter(({ isLeftOut }) => !isLeftOut)
    assert.deepEqual(taken, [{ fields: { name: 'staff' } }])
  })
})
