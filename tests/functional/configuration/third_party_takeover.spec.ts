import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { findClient } from '#oidc/clients/client_rows'
import { createClient, updateClient } from '#oidc/clients/clients'
import { DEFAULTS, type NewClient } from '#oidc/clients/client_fields'
import { apply, someNames } from '#tests/support/configuration'

/* A leaked key may have registered the client. Its file expects the fields of a new client. */

const SECRET = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const FOREIGN = 'https://evil.example'
const JWKS = 'https://app.example.org/keys'

const CHOSEN = {
  name: 'Payroll',
  postLogoutRedirectUris: [`${FOREIGN}/out`],
  backchannelLogoutUri: `${FOREIGN}/logout`,
  homeUrl: FOREIGN,
  requireVerifiedEmail: false,
  claims: { plan: '=admin' },
  refreshTokens: 'always',
  allowHttp: true,
} satisfies Partial<NewClient>

const AUTHENTICATES = {
  'its secret': 'secretFrom: env:THIRD_PARTY_SECRET',
  'its method': 'tokenEndpointAuthMethod: none',
  'its keys': `tokenEndpointAuthMethod: private_key_jwt\n    jwksUri: ${JWKS}`,
}

const { 'its secret': OWNS } = AUTHENTICATES

function setSecret() {
  process.env.THIRD_PARTY_SECRET = SECRET
  return () => void delete process.env.THIRD_PARTY_SECRET
}

type Names = ReturnType<typeof someNames>

function text({ client }: Names, settings = OWNS) {
  return `
clients:
  - clientId: ${client}
    redirectUris: [https://app.example.org/cb]
    ${settings}
`
}

async function registered({ client: clientId }: Names, given: Partial<NewClient> = CHOSEN) {
  const redirectUris = [`${FOREIGN}/cb`]
  const { client } = await createClient(
    { name: clientId, clientId, redirectUris, ...given },
    SYSTEM
  )
  return client
}

test.group('Configuration files | a third party that was here', (group) => {
  group.setup(setSecret)

  test('a file that gives {$self} first makes it anew')
    .with(Object.keys(AUTHENTICATES) as (keyof typeof AUTHENTICATES)[])
    .run(async ({ assert }, gives) => {
      const names = someNames()
      await registered(names)
      const { changes } = await apply(text(names, AUTHENTICATES[gives]), { name: names.file })
      assert.includeMembers(changes[0].fields, Object.keys(CHOSEN))
      const client = (await findClient(names.client))!
      assert.equal(client.name, names.client)
      const { requireVerifiedEmail, claims, refreshTokens, allowHttp } = DEFAULTS
      assert.containSubset(client, { requireVerifiedEmail, claims, refreshTokens, allowHttp })
      assert.notInclude(JSON.stringify(client), FOREIGN)
    })

  test('what keeps users out stays with its groups', async ({ assert }) => {
    const names = someNames()
    await createGroup({ name: names.group }, SYSTEM)
    const restrictions = {
      access: 'groups',
      allowedGroups: [names.group],
      requireMfa: true,
    } as const
    await registered(names, { ...restrictions, allowedGroups: [names.group] })
    await apply(text(names), { name: names.file })
    assert.containSubset((await findClient(names.client))!, restrictions)
  })

  test('a client that is trusted already keeps what the file does not name', async ({ assert }) => {
    const names = someNames()
    await registered(names, { ...CHOSEN, kind: 'first_party' })
    await apply(text(names, 'kind: first_party\n    ' + OWNS), { name: names.file })
    assert.containSubset((await findClient(names.client))!, CHOSEN)
  })

  test('a client that the file managed {when} keeps what others set since')
    .with([
      { when: 'until now', between: [] },
      { when: 'before it was let go', between: ['{}'] },
    ])
    .run(async ({ assert }, { between }) => {
      const names = someNames()
      const { id } = await registered(names)
      await apply(text(names), { name: names.file })
      for (const each of between) await apply(each, { name: names.file })
      await updateClient(id, { homeUrl: 'https://app.example.org', name: 'Shop' }, SYSTEM)
      const { changes } = await apply(text(names), { name: names.file })
      assert.deepEqual(changes, [])
    })

  test('the secret that a file gives later resets nothing', async ({ assert }) => {
    const names = someNames()
    await registered(names)
    await apply(text(names, 'requirePkce: true'), { name: names.file })
    await apply(text(names), { name: names.file })
    assert.containSubset((await findClient(names.client))!, CHOSEN)
  })
})

test.group('Configuration files | groups of a client that was here', (group) => {
  group.setup(setSecret)

  const CLOSED = `access: groups\n    ${OWNS}`

  async function closed(names: Names) {
    await createGroup({ name: names.group }, SYSTEM)
    await registered(names, { access: 'groups', allowedGroups: [names.group] })
  }

  test('a file that closes it has to name them, as {0}')
    .with([
      ['a third party', ''],
      ['a first party', '\n    kind: first_party'],
    ])
    .run(async ({ assert }, [, kind]) => {
      const names = someNames()
      await closed(names)
      const applied = () => apply(text(names, CLOSED + kind), { name: names.file })
      await assert.rejects(applied, /clients\.0\.allowedGroups: Groups that no file gave/)
    })

  test('the file may say that none is let in', async ({ assert }) => {
    const names = someNames()
    await closed(names)
    await apply(text(names, `${CLOSED}\n    allowedGroups: []`), { name: names.file })
    assert.deepEqual((await findClient(names.client))!.allowedGroups, [])
  })

  test('a file has to name them where access by groups is the rule', async ({
    assert,
    cleanup,
  }) => {
    const names = someNames()
    await closed(names)
    const { access } = DEFAULTS
    cleanup(() => void Object.assign(DEFAULTS, { access }))
    Object.assign(DEFAULTS, { access: 'groups' })
    await assert.rejects(() => apply(text(names), { name: names.file }), /allowedGroups/)
  })
})
