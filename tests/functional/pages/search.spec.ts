import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { createGroup } from '#groups/groups'
import { listSessions } from '#auth/sessions/sessions'
import tokenStore from '#auth/store/service'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, login, signedIn } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import { htmlOf, person } from '../account/person.ts'

async function search(text: string) {
  const { browser } = await person({ user: await createAdmin() })
  return htmlOf(browser.request(`/admin/search?${new URLSearchParams({ q: text })}`))
}

const NOTHING = 'Nothing found'

test.group('Search | console', () => {
  test('finds a user by id, address and a part of the name', async ({ assert }) => {
    const user = await createUser({ username: `Wolfgang ${randomUUID().slice(0, 8)}` })
    for (const text of [user.id, user.id.toUpperCase(), user.email, user.username.slice(4)]) {
      assert.include(await search(text), `/admin/users/${user.id}`, text)
    }
  })

  test('shows the sessions and events of the one user', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user)
    const page = await search(user.email)
    assert.include(page, 'id="found-sessions"')
    assert.include(page, 'id="found-events"')
    assert.include(page, 'Signed in')
  })

  test('finds a session by its id', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user)
    const [{ id }] = await listSessions(user.id)
    const page = await search(id)
    const isFound = page.includes(`/admin/users/${user.id}`)
    assert.equal(isFound, tokenStore.driver === 'database')
    if (!isFound) assert.include(page, 'To find a session, search for its user.')
  })

  test('finds applications and groups by id and name', async ({ assert }) => {
    const { client } = await application({ name: `Ledger ${randomUUID()}` })
    const group = await createGroup({ name: `crew-${randomUUID()}` }, SYSTEM)
    for (const text of [client.id, client.clientId, client.name]) {
      assert.include(await search(text), `/admin/clients/${client.id}`, text)
    }
    for (const text of [group.id, group.name.toUpperCase()]) {
      assert.include(await search(text), `/admin/groups/${group.id}`, text)
    }
  })

  test('finds events by id, and by an address without a user', async ({ client, assert }) => {
    const email = `guess-${randomUUID()}@example.org`
    await login(client, { email, password: 'Wrong-h0rse!' })
    assert.include(await search(email), 'id="found-events"')
    const [event] = await recordsWhere({ action: 'login.failed' })
    assert.include(await search(event.id), 'id="found-events"')
  })

  test('says that nothing was found: {$self}')
    .with([randomUUID(), 'ʒǯ', '%%%%', 'q'.repeat(254), "'; DROP TABLE users; --"])
    .run(async ({ assert }, text) => {
      assert.include(await search(text), NOTHING)
    })

  test('asks again where the text cannot be searched: {$i}')
    .with(['', '   ', 'q'.repeat(255), 'a\0b'])
    .run(async ({ assert }, text) => {
      const page = await search(text)
      assert.notInclude(page, NOTHING)
      assert.include(page, 'E-mail address, name, ID or IP address')
    })

  test('shows a hostile text as text', async ({ assert }) => {
    const page = await search('"><script>alert(1)</script>')
    assert.notInclude(page, '<script>alert')
  })

  test('answers users with 403', async ({ assert }) => {
    const { browser } = await person()
    const { status } = await browser.request('/admin/search?q=a')
    assert.equal(status, 403)
  })
})
