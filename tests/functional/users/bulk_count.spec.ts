import { test } from '@japa/runner'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { person, textOf } from '../account/person.ts'

const IN_LIST = 26

/** Makes an administrator and more users of the same name than a page shows. */
async function adminAmongUsers() {
  const tag = `AttemptKey${Date.now().toString(36)}`
  for (let count = 1; count < IN_LIST; count++) {
    await createUser({ username: tag, password: null })
  }
  const { browser, user } = await person({ user: await createAdmin({ username: tag }) })
  return { browser, user, list: `search=${tag}` }
}

test.group('Bulk actions | numbers', () => {
  test('the list offers all but the reader', async ({ assert }) => {
    const { browser, list } = await adminAmongUsers()
    const text = await textOf(browser.request(`/admin/users?${list}`))
    assert.include(text, 'of 26')
    assert.include(text, 'All 25 that match except you')
  })

  test('the list offers all where the reader is none of them', async ({ assert }) => {
    const { browser, list } = await adminAmongUsers()
    const another = await createUser({ username: list.split('=')[1], password: null })
    const text = await textOf(browser.request(`/admin/users?${list}&role=User`))
    assert.include(text, 'All 26 that match')
    assert.notInclude(text, 'except you')
    assert.isFalse(another.isAdmin)
  })

  test('the question counts who will be changed', async ({ assert }) => {
    const { browser, list } = await adminAmongUsers()
    const question = { action: 'lock', all: 'true', list }
    const text = await textOf(browser.submit(`/admin/users?${list}`, question, '/admin/users/bulk'))
    assert.include(text, '25 users')
    assert.include(text, 'Lock all 25')
  })

  test('oneself alone is refused at once', async ({ assert }) => {
    const { browser, user } = await adminAmongUsers()
    const ticked = { 'action': 'disable', 'ids[]': user.id, 'list': '' }
    const answer = await browser.submit('/admin/users', ticked, '/admin/users/bulk')
    const text = await textOf(browser.request(answer.headers.get('location')!))
    assert.include(text, 'You cannot do this to your own account')
  })
})
