import { pbkdf2Sync, randomBytes, randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as oidc from 'openid-client'
import { test } from '@japa/runner'
import ClientImport from '#commands/client_import'
import ConfigApply from '#commands/config_apply'
import UserImport from '#commands/user_import'
import User from '#models/user'
import { fromKeycloak } from '#configuration/import/keycloak'
import { keycloakGroups } from '#users/transfer/imported_groups'
import { findClient } from '#oidc/clients/client_rows'
import { configurationFile } from '#tests/support/configuration'
import { runCommand } from '#tests/support/commands'
import { login, someEmail } from '#tests/support/fixtures'
import { browserOf, configure, REDIRECT, tokensOf } from '#tests/support/oidc'

const SECRET = 'b4Xk2mPq9sTv7wYz1aCd3eFg5hJk8nRu'
const PASSWORD = 'Correct-h0rse!'

/** A user as Keycloak exports one: each credential is JSON within JSON. */
function exportedUser(email: string) {
  const salt = randomBytes(16)
  const key = pbkdf2Sync(PASSWORD, salt, 27_500, 64, 'sha512')
  const hash = { algorithm: 'pbkdf2-sha512', hashIterations: 27_500, additionalParameters: {} }
  return {
    id: randomUUID(),
    username: email.split('@', 1)[0],
    email,
    emailVerified: true,
    enabled: true,
    groups: ['/Staff/Berlin'],
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({
          value: key.toString('base64'),
          salt: salt.toString('base64'),
        }),
        credentialData: JSON.stringify(hash),
      },
    ],
  }
}

const groupMapper = {
  name: 'groups',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': 'groups', 'full.path': 'false' },
}

function exportedRealm(ids: { app: string; robot: string; other: string }, user: object) {
  const common = { protocol: 'openid-connect', enabled: true, standardFlowEnabled: true }
  return {
    realm: 'acme',
    groups: [{ name: 'Staff', subGroups: [{ name: 'Berlin' }] }],
    roles: { realm: [{ name: 'editors' }, { name: 'default-roles-acme' }] },
    users: [user],
    clients: [
      { ...common, clientId: 'account', redirectUris: ['/realms/acme/account/*'] },
      {
        ...common,
        clientId: ids.app,
        name: 'Grafana',
        rootUrl: 'https://app.example.org',
        redirectUris: ['/callback', 'https://app.example.org/*'],
        secret: SECRET,
        attributes: {
          'post.logout.redirect.uris': '+##https://app.example.org/bye',
          'backchannel.logout.url': 'https://app.example.org/logout',
          'id.token.signed.response.alg': 'ES256',
          'pkce.code.challenge.method': 'S256',
        },
        protocolMappers: [groupMapper],
        defaultClientScopes: ['profile', 'email', 'roles', 'acme-scope'],
      },
      {
        ...common,
        clientId: ids.robot,
        standardFlowEnabled: false,
        serviceAccountsEnabled: true,
        secret: '**********',
      },
      { ...common, clientId: ids.other, protocol: 'saml', redirectUris: [] },
    ],
  }
}

/** Returns a realm with one client that has a complete address. */
function realmOf(client: object) {
  const common = { clientId: 'app', redirectUris: ['https://app.example.org/cb'] }
  return JSON.stringify({ clients: [{ ...common, ...client }] })
}

async function importedRealm() {
  const ids = {
    app: `app-${randomUUID()}`,
    robot: `robot-${randomUUID()}`,
    other: `saml-${randomUUID()}`,
  }
  const user = exportedUser(someEmail())
  const realm = await configurationFile(JSON.stringify(exportedRealm(ids, user)), 'realm.json')
  const output = join(dirname(realm), 'clients.yaml')
  const args = [realm, '--from=keycloak', `--output=${output}`]
  return { ids, user, realm, output, args, done: await runCommand(ClientImport, args) }
}

test.group('Import | clients of Keycloak', () => {
  test('ids, addresses, algorithms and secrets are kept', async ({ assert }) => {
    const { ids, output, done } = await importedRealm()
    assert.equal(done.code, 0, done.told)
    assert.containsSubset(done.printed, { clients: 2, serviceAccounts: 1, groups: 3, secrets: 1 })
    const applied = await runCommand(ConfigApply, [output])
    assert.equal(applied.code, 0, applied.told)
    const client = await findClient(ids.app)
    assert.containsSubset(client, {
      name: 'Grafana',
      kind: 'first_party',
      redirectUris: ['https://app.example.org/callback'],
      postLogoutRedirectUris: ['https://app.example.org/callback', 'https://app.example.org/bye'],
      backchannelLogoutUri: 'https://app.example.org/logout',
      idTokenAlgorithm: 'ES256',
      requirePkce: true,
      refreshTokens: 'always',
      scopes: ['openid', 'profile', 'email', 'groups'],
    })
    const robot = await findClient(ids.robot)
    const account = await User.findByOrFail('username', `service-account-${ids.robot}`)
    assert.equal(robot!.serviceAccountId, account.id)
  })

  test('what cannot be taken is a comment and a count', async ({ assert }) => {
    const { ids, output, args, done } = await importedRealm()
    const text = await readFile(output, 'utf8')
    assert.match(text, /# not taken: redirectUris: https:\/\/app.example.org\/\* is a pattern/)
    assert.include(text, '# not taken: secret: it is masked')
    assert.include(text, '# not taken: scopes: acme-scope is not known here')
    assert.match(text, new RegExp(`# - clientId: ${ids.other}`))
    assert.include(text, '# not taken: the client speaks saml')
    assert.isAbove(done.printed.notTaken, 4)
    const again = `${output}.again.yaml`
    const strict = await runCommand(ClientImport, [
      ...args.slice(0, 2),
      `--output=${again}`,
      '--strict',
    ])
    assert.equal(strict.code, 1)
  })

  test('a secret that is a placeholder is asked for anew')
    .with([
      '${GRAFANA_CLIENT_SECRET_PRODUCTION}',
      '$(env:GRAFANA_CLIENT_SECRET_PRODUCTION)',
      '$GRAFANA_CLIENT_SECRET_PRODUCTION',
      '{{ secret "/run/secrets/grafana" }}',
    ])
    .run(async ({ assert }, secret) => {
      const { clients } = await fromKeycloak(realmOf({ secret }))
      assert.isNull(clients[0].secret)
      assert.include(clients[0].notes.join('\n'), 'secret: it is a placeholder')
    })

  test('a client whose addresses are patterns keeps its secret', async ({ assert }) => {
    const redirectUris = ['https://wiki.example.org/*']
    const realm = await configurationFile(realmOf({ redirectUris, secret: SECRET }), 'realm.json')
    const output = join(dirname(realm), 'wiki.yaml')
    await runCommand(ClientImport, [realm, '--from=keycloak', `--output=${output}`])
    const text = await readFile(output, 'utf8')
    assert.include(text, '# - clientId: app')
    assert.include(text, '#   redirectUris: []')
    assert.include(text, '#   secretFrom: file:./wiki-secrets/app')
    const stored = await readFile(join(dirname(output), 'wiki-secrets', 'app'), 'utf8')
    assert.equal(stored, `${SECRET}\n`)
  })

  test('a client that is left out for another reason leaves its secret', async ({ assert }) => {
    const { clients } = await fromKeycloak(realmOf({ protocol: 'saml', secret: SECRET }))
    assert.isTrue(clients[0].isLeftOut)
    assert.isNull(clients[0].secret)
  })

  test('a client with a flow of its own lets no user in', async ({ assert }) => {
    const flows = { browser: randomUUID(), direct_grant: randomUUID() }
    const { clients } = await fromKeycloak(realmOf({ authenticationFlowBindingOverrides: flows }))
    assert.containsSubset(clients[0].fields, { access: 'groups', allowedGroups: [] })
    assert.include(clients[0].notes.join('\n'), 'access: it has a sign-in flow of its own')
    const others = realmOf({ authenticationFlowBindingOverrides: { direct_grant: flows.browser } })
    const { clients: open } = await fromKeycloak(others)
    assert.notProperty(open[0].fields, 'access')
  })

  test('a realm whose flow is {browserFlow} lets everybody in: {isOpen}')
    .with([
      { browserFlow: undefined, isOpen: true },
      { browserFlow: 'browser', isOpen: true },
      { browserFlow: 'browser with restriction', isOpen: false },
    ])
    .run(async ({ assert }, { browserFlow, isOpen }) => {
      const realm = { ...JSON.parse(realmOf({})), browserFlow }
      const { clients } = await fromKeycloak(JSON.stringify(realm))
      assert.equal(clients[0].fields.access, isOpen ? undefined : 'groups')
      assert.equal(clients[0].notes.join().includes('the realm has a sign-in flow'), !isOpen)
    })

  test('the acr value {acr} asks for a second factor: {isAsked}')
    .with([
      { acr: undefined, isAsked: false },
      { acr: '', isAsked: false },
      { acr: '1', isAsked: false },
      { acr: '2', isAsked: true },
      { acr: 'gold', isAsked: true },
    ])
    .run(async ({ assert }, { acr, isAsked }) => {
      const { clients } = await fromKeycloak(realmOf({ attributes: { 'minimum.acr.value': acr } }))
      assert.equal(clients[0].fields.requireMfa ?? false, isAsked)
      assert.equal(clients[0].notes.join().includes('requireMfa'), isAsked)
    })

  test('two mappers to one claim give one scope', async ({ assert }) => {
    const roles = {
      ...groupMapper,
      name: 'roles',
      protocolMapper: 'oidc-usermodel-realm-role-mapper',
    }
    const { clients } = await fromKeycloak(realmOf({ protocolMappers: [groupMapper, roles] }))
    assert.isFalse(clients[0].isLeftOut)
    const scopes = ['openid', 'profile', 'email', 'offline_access', 'groups']
    assert.deepEqual(clients[0].fields.scopes, scopes)
  })

  test('null is taken as absent', async ({ assert }) => {
    const names = ['name', 'rootUrl', 'baseUrl', 'protocol', 'clientAuthenticatorType', 'secret']
    const others = ['attributes', 'protocolMappers', 'defaultClientScopes', 'enabled']
    const nulls = Object.fromEntries([...names, ...others].map((name) => [name, null]))
    const { clients } = await fromKeycloak(realmOf(nulls))
    const { clients: absent } = await fromKeycloak(realmOf({}))
    assert.deepEqual(clients, absent)
    assert.deepEqual(keycloakGroups({ groups: null, realmRoles: null }), [])
  })

  test('secrets stand beside it, for the owner alone', async ({ assert }) => {
    const { ids, output, args } = await importedRealm()
    const text = await readFile(output, 'utf8')
    assert.notInclude(text, SECRET)
    assert.include(text, `secretFrom: file:./clients-secrets/${ids.app}`)
    const file = join(dirname(output), 'clients-secrets', ids.app)
    assert.equal(await readFile(file, 'utf8'), `${SECRET}\n`)
    const modes = [await stat(file), await stat(output)].map(({ mode }) => mode & 0o777)
    assert.deepEqual(modes, [0o600, 0o600])
    const second = await runCommand(ClientImport, args)
    assert.equal(second.code, 2)
    assert.include(second.told, 'is there already')
  })

  test('a file that is no realm ends with 2', async ({ assert }) => {
    for (const text of ['[]', '{"users":[]}', 'clients: []', '']) {
      const file = await configurationFile(text, 'realm.json')
      const output = `--output=${file}.yaml`
      const { code, told } = await runCommand(ClientImport, [file, '--from=keycloak', output])
      assert.equal(code, 2)
      assert.include(told, 'is no export of a realm')
    }
  })

  test('an application changes the issuer and nothing else', async ({ client, assert }) => {
    const { ids, user, output } = await importedRealm()
    const applied = await runCommand(ConfigApply, [output])
    assert.equal(applied.code, 0, applied.told)
    const users = join(dirname(output), 'users.json')
    await writeFile(users, JSON.stringify({ users: [user] }))
    const imported = await runCommand(UserImport, [users, '--from=keycloak'])
    assert.equal(imported.code, 0, imported.told)
    const response = await login(client, { email: user.email, password: PASSWORD })
    response.assertStatus(200)
    const config = await configure(ids.app, SECRET)
    const app = { config, client: (await findClient(ids.app))!, clientSecret: SECRET }
    const browser = await browserOf(await User.findOrFail(user.id))
    const tokens = await tokensOf(app, browser, {
      redirect_uri: REDIRECT,
      scope: 'openid email groups',
    })
    const { sub, email, groups } = tokens.claims()!
    assert.deepEqual(
      { sub, email, groups },
      { sub: user.id, email: user.email, groups: ['Staff/Berlin'] }
    )
    const info = await oidc.fetchUserInfo(config, tokens.access_token, sub)
    assert.equal(info.preferred_username, undefined)
    assert.isString(tokens.refresh_token)
  })
})
