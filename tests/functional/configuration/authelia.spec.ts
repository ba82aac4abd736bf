import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from '@japa/runner'
import ClientImport from '#commands/client_import'
import ConfigApply from '#commands/config_apply'
import { fromAuthelia } from '#configuration/import/authelia'
import { findClient } from '#oidc/clients/client_rows'
import { configurationFile } from '#tests/support/configuration'
import { runCommand } from '#tests/support/commands'
import { browserOf, configure, REDIRECT, tokensOf, type Application } from '#tests/support/oidc'
import { digestOf } from '#tests/support/secret_digests'
import type User from '#models/user'
import { createUser } from '#tests/support/fixtures'

const SECRET = 'b4Xk2mPq9sTv7wYz1aCd3eFg5hJk8nRu'

const configuration = (ids: string[], group: string) => `
theme: dark
identity_providers:
  oidc:
    hmac_secret: not-taken-not-taken-not-taken
    authorization_policies:
      staff:
        default_policy: deny
        rules:
          - policy: one_factor
            subject: 'group:${group}'
    clients:
      - client_id: ${ids[0]}
        client_name: Grafana
        client_secret: '${digestOf(SECRET)}'
        authorization_policy: one_factor
        consent_mode: implicit
        require_pkce: 'false'
        redirect_uris: ['${REDIRECT}']
        scopes: [openid, profile, groups, email]
        userinfo_signed_response_alg: none
        token_endpoint_auth_method: client_secret_basic
      - client_id: ${ids[1]}
        public: true
        authorization_policy: staff
        require_pkce: true
        redirect_uris: ['https://spa.example.org/', 'http://grafana.lan/cb']
      - id: ${ids[2]}
        description: Of an older version
        secret: '$plaintext$insecure_secret'
        redirect_uris: ['https://old.example.org/cb']
        sector_identifier_uri: https://old.example.org/sector.json
      - client_id: ${ids[3]}
        client_secret: '${digestOf(SECRET)}'
        token_endpoint_auth_method: client_secret_jwt
        redirect_uris: ['https://jwt.example.org/cb']
`

async function signIn(app: Application, user: User) {
  const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid' })
  return tokens.claims()!.sub
}

async function imported() {
  const ids = Array.from({ length: 4 }, () => `app-${randomUUID()}`)
  const group = `Staff ${randomUUID()}`
  const file = await configurationFile(configuration(ids, group), 'configuration.yml')
  const output = join(dirname(file), 'clients.yaml')
  const done = await runCommand(ClientImport, [file, '--from=authelia', `--output=${output}`])
  return { ids, group, output, done }
}

test.group('Import | clients of Authelia', () => {
  test('ids, addresses, policies and groups are kept', async ({ assert }) => {
    const { ids, group, output, done } = await imported()
    assert.containsSubset(done.printed, { clients: 3, groups: 1, secrets: 1 }, done.told)
    const applied = await runCommand(ConfigApply, [output])
    assert.equal(applied.code, 0, applied.told)
    assert.containsSubset(await findClient(ids[0]), {
      name: 'Grafana',
      kind: 'first_party',
      requireMfa: false,
      idTokenAlgorithm: 'RS256',
    })
    assert.containsSubset(await findClient(ids[1]), {
      tokenEndpointAuthMethod: 'none',
      requirePkce: true,
      access: 'groups',
      allowedGroups: [group],
      allowHttp: true,
    })
    assert.containsSubset(await findClient(ids[2]), {
      name: 'Of an older version',
      requireMfa: true,
    })
    assert.isNull(await findClient(ids[3]))
  })

  test('what cannot be taken is told, and no secret is shown', async ({ assert }) => {
    const { output } = await imported()
    const text = await readFile(output, 'utf8')
    for (const said of ['secret: it is too short', 'sub: it is pairwise', '# - clientId: app-'])
      assert.include(text, said)
    assert.notMatch(text, /pbkdf2|insecure_secret|not-taken-not/)
  })

  test('what all clients have to do is a rule of each', async ({ assert }) => {
    const enforced = 'enforce_pkce: always\n    pushed_authorizations: { enforce: true }'
    const text = configuration(['one', 'two', 'three', 'four'], 'staff')
    const { clients } = await fromAuthelia(
      text.replace('hmac_secret:', `${enforced}\n    hmac_secret:`)
    )
    const rules = clients.slice(0, 3).map(({ fields }) => [fields.requirePkce, fields.requirePar])
    assert.deepEqual(rules, Array(3).fill([true, true]))
  })

  test('an application signs in with the secret behind the hash', async ({ assert }) => {
    const { ids, output } = await imported()
    await runCommand(ConfigApply, [output])
    const config = await configure(ids[0], SECRET)
    const user = await createUser()
    const app = { config, client: (await findClient(ids[0]))!, clientSecret: SECRET }
    const once = () => signIn(app, user)
    assert.deepEqual([await once(), await once()], [user.id, user.id])
    const client = await findClient(ids[0])
    assert.isNotNull(client!.secretHash)
  })

  test('a file without clients ends with 2', async ({ assert }) => {
    for (const text of ['theme: dark', 'a: [', '{{ template }}']) {
      const file = await configurationFile(text, 'configuration.yml')
      const output = `--output=${file}.yaml`
      const { code } = await runCommand(ClientImport, [file, '--from=authelia', output])
      assert.equal(code, 2)
    }
  })
})
