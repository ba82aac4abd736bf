import { test } from '@japa/runner'
import { PASSWORD, someAddress, someEmail } from '#tests/fixtures'

test.group('Register | success', () => {
  test('answers 201 with the user record', async ({ client, assert }) => {
    const email = someEmail()
    const response = await client
      .post('/auth/register')
      .header('x-forwarded-for', someAddress())
      .json({ email, username: 'ada', password: PASSWORD })

    response.assertStatus(201)
    assert.containsSubset(response.body(), { email, username: 'ada', role: 'User' })
    assert.notProperty(response.body(), 'password')
  })
})
