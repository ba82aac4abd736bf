import { test } from '@japa/runner'
import { actionTitle, actorTitle, eventTitle } from '#transformers/admin/event_titles'
import { display, fieldTitle } from '#transformers/admin/event_fields'

const changed = (...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, { before: 'a', after: 'b' }]))

test.group('Event titles', () => {
  test('name what one form has changed')
    .with([
      { action: 'account.updated', fields: ['username'], title: 'Name changed' },
      { action: 'role.changed', fields: ['role'], title: 'Role changed' },
      { action: 'role.changed', fields: ['username', 'role'], title: 'Name and role changed' },
      { action: 'email.changed', fields: ['email'], title: 'E-mail changed' },
      { action: 'account.disabled', fields: ['disabled', 'role'], title: 'Account disabled' },
    ])
    .run(({ assert }, { action, fields, title }) => {
      assert.equal(eventTitle(action, changed(...fields)), title)
    })

  test('read as sentences of people', ({ assert }) => {
    assert.equal(actionTitle('login.succeeded'), 'Signed in')
    assert.equal(actionTitle('mfa.reset'), 'MFA reset')
    assert.equal(actionTitle('api_key.created'), 'API key created')
    assert.equal(actionTitle('email.change_undone'), 'E-mail change undone')
    assert.equal(actorTitle('anonymous'), 'Not signed in')
    assert.equal(actorTitle('cli:root'), 'root, by a command')
  })

  test('explain the values of their details', ({ assert }) => {
    assert.equal(fieldTitle('mfa'), 'Second factor')
    assert.equal(display('mfa', false), 'not set up')
    assert.equal(display('reason', 'password'), 'wrong password')
    assert.equal(display('filter', { role: 'Admin', search: null }), 'Role: Admin')
    assert.equal(display('filter', { role: null }), 'all')
    assert.equal(display('reason', 'constructor'), 'constructor')
  })
})
