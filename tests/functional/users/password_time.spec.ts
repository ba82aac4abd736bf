import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { columnOf } from '#database/data_error'
import { createUser, login } from '#tests/support/fixtures'

test.group('Password time', () => {
  test('a user is not left without it by {what}')
    .with([
      { what: 'an update', write: removeTime },
      { what: 'an insert', write: insertWithout },
    ])
    .run(async ({ client, assert }, { write }) => {
      const { id, email } = await createUser()
      const error = await write(id).then(() => null, String)
      assert.match(error ?? '', /not[- ]null constraint/i)
      const response = await login(client, { email })
      response.assertStatus(200)
    })

  test('its refusal names the column', async ({ assert }) => {
    const { id } = await createUser()
    const error = await removeTime(id).catch((refusal) => refusal)
    assert.equal(columnOf(error), 'password_changed_at')
  })
})

function removeTime(id: string) {
  return db.from('users').where('id', id).update({ password_changed_at: null })
}

async function insertWithout(id: string) {
  const user = await db.from('users').where('id', id).first()
  const copy = { ...user, id: crypto.randomUUID(), email: `copy-of-${user.email}` }
  return db.table('users').insert({ ...copy, password_changed_at: null })
}
