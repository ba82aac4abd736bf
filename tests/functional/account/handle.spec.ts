import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createUser } from '#tests/support/fixtures'
import { htmlOf, person, textOf } from './person.ts'

test.group('Account | handle', () => {
  test('a user changes it', async ({ assert }) => {
    const { user, browser } = await person()
    const handle = `h${user.id}`
    const response = await browser.submit('/account', { handle }, '/account/handle')
    await user.refresh()
    assert.equal(response.headers.get('location'), '/account')
    assert.equal(user.handle, handle)
    assert.include(await textOf(await browser.request('/account')), 'Your handle was changed.')
  })

  test('a taken one is refused beside its field: {handle}')
    .with([{ handle: 'admin' }, { handle: 'Ada' }, { handle: '' }, { handle: null }])
    .run(async ({ assert }, { handle }) => {
      const { user, browser } = await person()
      const other = await createUser()
      const before = user.handle
      const fields = { handle: handle ?? other.handle }
      const response = await browser.submit('/account', fields, '/account/handle')
      await user.refresh()
      assert.include([409, 422], response.status)
      assert.include(await response.text(), 'aria-invalid="true"')
      assert.equal(user.handle, before)
    })

  test('is only shown once an application has received it', async ({ assert }) => {
    const { user, browser } = await person()
    await db.from('users').where('id', user.id).update({ handle_received_at: Date.now() })
    const page = await htmlOf(browser.request('/account'))
    assert.include(page, user.handle)
    assert.notInclude(page, '/account/handle')
  })
})
