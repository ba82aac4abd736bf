import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '#audit/actor'
import { pruneKeys } from '#auth/signing_keys/prune_keys'
import { countGroups, listGroups } from '#groups/list_groups'
import { countClients, listClients } from '#oidc/clients/client_list'
import { createClient } from '#oidc/clients/clients'
import { createAdmin, keyOf, signedIn } from '#tests/support/fixtures'
import { withLimits } from '#tests/support/limits'
import { plansOf } from '#tests/support/plans'
import { statementsOf } from '#tests/support/statements'
import type { ApiClient } from '@japa/api-client'

const REDIRECT = 'https://wiki.example.org/cb'

let number = 0

/** Returns a word that only the clients of one test contain. */
const someWord = () => `w${Date.now()}x${number++}`

async function registerSome(word: string, count: number) {
  for (let at = 0; at < count; at++)
    await createClient({ name: `Wiki ${word} ${at}`, redirectUris: [REDIRECT] }, SYSTEM)
}

async function reader(client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  return (query: Record<string, unknown>) => client.get('/oauth-clients').headers(headers).qs(query)
}

/** Returns the query of the next page. */
function nextOf(response: { header(name: string): unknown }) {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(response.header('link') ?? '')) ?? []
  return url ? Object.fromEntries(new URL(url).searchParams) : null
}

test.group('OAuth clients | list', () => {
  test('pages have each client once, by name', async ({ client, assert }) => {
    const word = someWord()
    await registerSome(word, 5)
    const read = await reader(client)
    const names: string[] = []
    let query: Record<string, unknown> | null = { search: word, limit: 2 }
    while (query) {
      const response = await read(query)
      names.push(...response.body().map(({ name }: { name: string }) => name))
      query = nextOf(response)
    }
    assert.deepEqual(
      names,
      [0, 1, 2, 3, 4].map((at) => `Wiki ${word} ${at}`)
    )
  })

  test('pages that end at their bytes have each client once', async ({ client, assert }) => {
    const word = someWord()
    await registerSome(word, 5)
    const read = await reader(client)
    const sizes: number[] = []
    const names: string[] = []
    await withLimits({ clientListBytes: 1_500 }, async () => {
      let query: Record<string, unknown> | null = { search: word }
      while (query) {
        const response = await read(query)
        sizes.push(response.body().length)
        names.push(...response.body().map(({ name }: { name: string }) => name))
        query = nextOf(response)
      }
    })
    assert.isAbove(sizes.length, 1)
    assert.deepEqual(
      names,
      [0, 1, 2, 3, 4].map((at) => `Wiki ${word} ${at}`)
    )
  })

  test('a client with more addresses than fit keeps them', async ({ client, assert }) => {
    const { client: made } = await createClient({ name: 'Wiki', redirectUris: [REDIRECT] }, SYSTEM)
    const { headers } = await signedIn(client, await createAdmin())
    const path = `/oauth-clients/${made.id}`
    await withLimits({ clientAddressBytes: REDIRECT.length - 1 }, async () => {
      const renamed = await client.put(path).headers(headers).json({ name: 'Handbook' })
      renamed.assertStatus(200)
      const postLogoutRedirectUris = ['https://wiki.example.org/left']
      const refused = await client.put(path).headers(headers).json({ postLogoutRedirectUris })
      refused.assertStatus(400)
      assert.equal(refused.body().errors[0].field, 'postLogoutRedirectUris')
    })
  })

  test('the last page has no next one', async ({ client, assert }) => {
    const word = someWord()
    await registerSome(word, 2)
    const read = await reader(client)
    const [full, more] = [await read({ search: word, limit: 2 }), await read({ search: word })]
    assert.isNull(nextOf(full))
    assert.lengthOf(more.body(), 2)
  })

  test('{what} finds a client')
    .with([
      { what: 'a part of its name', part: (word: string) => `IKI ${word.toUpperCase()}` },
      { what: 'a part of an address', part: (word: string) => `//${word}.` },
      { what: 'a part of its id', part: (word: string) => `${word}-id` },
    ])
    .run(async ({ client, assert }, { part }) => {
      const word = someWord()
      const redirectUris = [`https://${word}.example.org/cb`]
      await createClient({ name: `Wiki ${word}`, clientId: `${word}-id`, redirectUris }, SYSTEM)
      const read = await reader(client)
      const response = await read({ search: part(word) })
      assert.lengthOf(response.body(), 1)
    })

  test('address of {length} characters is found: {isFound}')
    .with([
      { length: 255, isFound: true },
      { length: 256, isFound: true },
      { length: 257, isFound: false },
    ])
    .run(async ({ assert }, { length, isFound }) => {
      const word = someWord()
      // The stored list of addresses begins with two more characters.
      const uri = 'https://wiki.example.org/'.padEnd(length - 2 - word.length, 'x') + word
      await createClient({ name: 'Wiki', redirectUris: [uri] }, SYSTEM)
      assert.equal(await countClients(word), isFound ? 1 : 0)
    })

  test('signs of patterns stand for themselves', async ({ client, assert }) => {
    const word = someWord()
    await registerSome(word, 1)
    const read = await reader(client)
    for (const search of [`${word}%`, `${word.slice(0, 3)}_${word.slice(4)}`, `${word}\\`]) {
      const response = await read({ search })
      assert.isEmpty(response.body())
    }
  })

  test('{field} {value} is refused')
    .with([
      { field: 'limit', value: '0' },
      { field: 'limit', value: '101' },
      { field: 'limit', value: 'all' },
      { field: 'cursor', value: 'made up' },
      { field: 'cursor', value: Buffer.from('["a","b"]').toString('base64url') },
      { field: 'search', value: 'x'.repeat(255) },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const read = await reader(client)
      const response = await read({ [field]: value })
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
    })

  test('a key reads pages too', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const response = await client.get('/oauth-clients').headers(headers).qs({ limit: 1 })
    response.assertStatus(200)
  })
})

test.group('OAuth clients | what a search reads', (group) => {
  group.each.skip(db.connection().dialect.name === 'postgres', 'Postgres keeps long values apart')

  test('is an index, and no client that is left out', async ({ assert }) => {
    const search = someWord()
    const after = { name: 'a', id: uuidv7() }
    const cursor = Buffer.from(JSON.stringify(Object.values(after))).toString('base64url')
    const plans = await plansOf('oauth_clients', async () => {
      await countClients(search)
      await listClients({ search, limit: 10 })
      await listClients({ search, cursor, limit: 10 })
    })
    assert.deepEqual(plans, [
      'SCAN oauth_clients USING COVERING INDEX oauth_clients_search',
      'SCAN oauth_clients USING INDEX oauth_clients_search',
      'SEARCH oauth_clients USING INDEX oauth_clients_search ((name,id)>(?,?))',
    ])
  })
})

test.group('OAuth clients | lifetimes of sessions', (group) => {
  group.each.skip(db.connection().dialect.name === 'postgres', 'Postgres keeps long values apart')

  test('are read from an index alone', async ({ assert }) => {
    const plans = await plansOf('oauth_clients', () => pruneKeys(0))
    const index = 'COVERING INDEX oauth_clients_refresh_ttl'
    assert.isTrue(
      plans.some((plan) => plan.includes(index)),
      plans.join()
    )
  })
})

/** `LIKE` would start a new comparison at each repeated beginning. */
test.group('OAuth clients | a search', () => {
  test('of {what} takes time by the length of one text')
    .with([
      { what: 'clients', run: () => listClients({ search: 'aaab', limit: 10 }) },
      { what: 'a count of clients', run: () => countClients('aaab') },
      { what: 'groups', run: () => listGroups({ search: 'aaab', limit: 10 }) },
      { what: 'a count of groups', run: () => countGroups('aaab') },
    ])
    .run(async ({ assert }, { run }) => {
      const statements = await statementsOf(run)
      const patterns = statements.filter((sql) => /LIKE/i.test(sql))
      assert.isNotEmpty(statements)
      assert.isEmpty(patterns)
    })
})

test.group('OAuth clients | many', () => {
  test('10,000 are read page by page, 1,000 without pages', async ({ client, assert, cleanup }) => {
    const word = someWord()
    cleanup(
      async () => void (await db.from('oauth_clients').whereLike('name', `${word}%`).delete())
    )
    const { client: made } = await createClient({ name: word, redirectUris: [REDIRECT] }, SYSTEM)
    const row = await db.from('oauth_clients').where('id', made.id).firstOrFail()
    for (let batch = 0; batch < 100; batch++)
      await db.table('oauth_clients').multiInsert(
        Array.from({ length: 100 }, (_, at) => {
          const id = uuidv7()
          return {
            ...row,
            id,
            client_id: id.replaceAll('-', ''),
            name: `${word} ${batch * 100 + at}`,
          }
        })
      )
    const read = await reader(client)
    const all = await read({ search: word })
    assert.lengthOf(all.body(), 1_000)
    let [query, count] = [nextOf(all), 1_000]
    while (query) {
      const page = await read(query)
      count += page.body().length
      query = nextOf(page)
    }
    assert.equal(count, 10_001)
  }).timeout(60_000)
})
