import { test } from '@japa/runner'
import { createAdmin, createUser, signedIn, someAddress } from '#tests/support/fixtures'

test.group('Guards | web', () => {
  test('opens the console to an administrator', async ({ client }) => {
    const admin = await createAdmin()
    const response = await client.get('/admin').withGuard('web').loginAs(admin)
    response.assertStatus(200)
  })

  test('the version is shown in the console alone', async ({ client, assert }) => {
    const admin = await createAdmin()
    const dashboard = await client.get('/admin').withGuard('web').loginAs(admin)
    assert.match(dashboard.text(), /<footer[^>]*>Gatehouse \d+\.\d+\.\d+</)
    const account = await client.get('/account').withGuard('web').loginAs(admin)
    assert.notMatch(account.text(), /Gatehouse \d+\./)
    const health = await client.get('/health')
    assert.notMatch(health.text(), /version|\d+\.\d+\.\d+/)
  })

  test('opens the account to every user', async ({ client }) => {
    const response = await client
      .get('/account')
      .withGuard('web')
      .loginAs(await createUser())
    response.assertStatus(200)
  })

  test('sends strangers to the sign-in page', async ({ client, assert }) => {
    const response = await client.get('/admin/users').redirects(0)
    response.assertStatus(302)
    assert.equal(response.header('location'), '/sign-in?next=%2Fadmin%2Fusers')
  })

  test('offers the account to users without the role', async ({ client, assert }) => {
    const response = await client
      .get('/admin/users')
      .withGuard('web')
      .loginAs(await createUser())
    response.assertStatus(403)
    assert.include(response.text(), 'href="/account"')
    assert.notInclude(response.text(), 'href="/admin"')
  })

  test('closes the console to an administrator who was demoted', async ({ client }) => {
    const admin = await createAdmin()
    const request = client.get('/admin').withGuard('web').loginAs(admin)
    await admin.merge({ role: 'User' }).save()
    const response = await request
    response.assertStatus(403)
  })

  test('takes no access token', async ({ client }) => {
    const admin = await signedIn(client, await createAdmin())
    const response = await client.get('/admin').bearerToken(admin.accessToken).redirects(0)
    response.assertStatus(302)
  })
})

test.group('Throttle | address', () => {
  test('counts every redemption, malformed ones included', async ({ client, assert }) => {
    const address = someAddress()
    const statuses = []
    for (const path of ['/auth/reset-password', '/auth/verify-email']) {
      for (let count = 0; count < 15; count++) {
        const response = await client.post(path).header('x-forwarded-for', address).json({})
        statuses.push(response.status())
      }
    }
    const last = await client
      .post('/auth/verify-email')
      .header('x-forwarded-for', address)
      .json({ token: 'unknown' })
    assert.deepEqual([...statuses, last.status()], [...Array(30).fill(400), 429])
  })

  test('counts no registration that is malformed', async ({ client, assert }) => {
    const address = someAddress()
    for (let count = 0; count < 11; count++) {
      const request = client.post('/auth/register').header('x-forwarded-for', address)
      const response = await request.json({})
      assert.equal(response.status(), 400)
    }
  })
})
