import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { listKeys } from '#auth/api_keys/list_keys'
import { SYSTEM, userActor } from '#audit/actor'
import { updateUser } from '#users/update_user'
import { requestPasswordReset } from '#users/request_password_reset'
import { requestVerificationOfAddress } from '#users/request_verification'
import { addUser } from '#users/add_user'
import { createUser, keyOf, login, signedIn, someEmail } from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { assertAccessible, visit, withBrowser } from './visitor.ts'

const NEW_PASSWORD = 'Another-h0rse!'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

/** Every page of a mailed link works in a browser that runs no scripts. */
const PLAIN = { javaScriptEnabled: false }

const ACME = { provider: 'acme', issuer: 'acme' }
const LONG_EMAIL = `${'long'.repeat(16)}@${'example.'.repeat(20)}net`

async function resetLink(email: string) {
  await requestPasswordReset(email, { ip: '203.0.113.7', userAgent: null })
  return `/reset-password?token=${await mailedToken(email, 'password_reset')}`
}

test.group('Link | reset', (group) => {
  withBrowser(group)

  test('sets a password without script, after any looks', async ({ client, assert }) => {
    const user = await createUser()
    const link = await resetLink(user.email)
    const page = await visit(PLAIN)
    for (let looks = 1; looks <= 3; looks++) await page.goto(link)
    assert.equal(await page.getByLabel('E-mail').inputValue(), user.email)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    const response = await login(client, { email: user.email, password: NEW_PASSWORD })
    response.assertStatus(200)
  })

  test('lists other sign-in methods and removes them ticked', async ({ assert }) => {
    const user = await createUser()
    await Identity.create({ ...ACME, userId: user.id, subject: user.id, email: LONG_EMAIL })
    await keyOf(user)
    const page = await visit({ viewport: { width: 390, height: 740 } })
    await page.goto(await resetLink(user.email))
    await assertAccessible(page, assert)
    await page.getByText(LONG_EMAIL).waitFor()
    assert.notInclude(await page.locator('form').innerText(), '@!')
    await page.getByLabel('Remove them').check()
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    assert.isTrue(await page.getByLabel('Remove them').isChecked())
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    assert.lengthOf(await Identity.ofUser(user.id), 0)
    assert.lengthOf(await listKeys(user.id), 1)
  })

  test('tells every broken rule beside the field', async ({ assert }) => {
    const user = await createUser()
    const page = await visit(PLAIN)
    await page.goto(await resetLink(user.email))
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForLoadState()
    const errors = await page.locator('.rules .broken').allTextContents()
    assert.lengthOf(errors, 4)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
  })

  test('leads nowhere once it was used or is made up', async ({ assert }) => {
    const page = await visit(PLAIN)
    for (const link of ['/reset-password?token=made-up', '/reset-password', '/not-me?token=x']) {
      const response = await page.goto(link)
      assert.equal(response!.status(), 404)
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    }
  })
})

test.group('Link | invitation', (group) => {
  withBrowser(group)

  test('makes the user its owner’s', async ({ client }) => {
    const invited = { email: someEmail(), username: 'Grace' }
    await addUser(invited, SYSTEM)
    const token = await mailedToken(invited.email, 'invitation')
    const page = await visit(PLAIN)
    await page.goto(`/accept-invitation?token=${token}`)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    const response = await login(client, { email: invited.email, password: NEW_PASSWORD })
    response.assertStatus(200)
  })
})

test.group('Link | verification', (group) => {
  withBrowser(group)

  test('asks before it verifies', async ({ assert }) => {
    const user = await createUser({ isVerified: false })
    await requestVerificationOfAddress(user.email)
    const link = `/verify-email?token=${await mailedToken(user.email, 'email_verification')}`
    const page = await visit(PLAIN)
    await page.goto(link)
    const before = await db.from('users').where('id', user.id).first()
    assert.isNull(before.email_verified_at)
    await page.getByRole('button', { name: 'I created it, confirm the address' }).click()
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
    const after = await db.from('users').where('id', user.id).first()
    assert.isNotNull(after.email_verified_at)
    const again = await page.goto(link)
    assert.equal(again!.status(), 200)
    await page.getByRole('heading', { name: 'Your address is already confirmed' }).waitFor()
  })
})

test.group('Link | change of address', (group) => {
  withBrowser(group)

  test('moves the account and moves it back', async ({ assert }) => {
    const user = await createUser({ isVerified: true })
    const [former, email] = [user.email, `${'long'.repeat(10)}.${someEmail()}`]
    await updateUser(user.id, { email }, userActor(user.id, { ip: '::1', userAgent: null }))
    const page = await visit({ viewport: { width: 390, height: 800 } })
    await page.goto(`/verify-email?token=${await mailedToken(email, 'email_change')}`)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'It was me, use this address' }).click()
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
    const undo = await mailedToken(former, 'email_change_requested')
    await page.goto(`/undo-email-change?token=${undo}`)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'It was not me, keep this address' }).click()
    await page.getByRole('heading', { name: 'Change undone' }).waitFor()
    await user.refresh()
    assert.equal(user.email, former)
  })
})

test.group('Link | “it was not me”', (group) => {
  withBrowser(group)

  test('ends the sessions and mails a reset', async ({ client }) => {
    const user = await createUser()
    await signedIn(client, user, { userAgent: CHROME })
    const strange = await signedIn(client, user, { userAgent: FIREFOX })
    const page = await visit(PLAIN)
    await page.goto(`/not-me?token=${await mailedToken(user.email, 'new_device')}`)
    await page.getByRole('button', { name: 'It was not me' }).click()
    await page.getByRole('heading', { name: 'Signed out everywhere' }).waitFor()
    const profile = await client.get('/auth/profile').headers(strange.headers)
    profile.assertStatus(401)
    await page.goto(`/reset-password?token=${await mailedToken(user.email, 'password_reset')}`)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
  })
})

test.group('Link | page', (group) => {
  withBrowser(group)

  test('keeps its token to itself', async ({ client, assert }) => {
    const user = await createUser()
    const response = await client.get(await resetLink(user.email))
    response.assertHeader('cache-control', 'no-store')
    response.assertHeader('referrer-policy', 'no-referrer')
    assert.isUndefined(response.header('set-cookie'))
    const policy = response.header('content-security-policy')!
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, 'unsafe')
  })

  test('is accessible in light and dark, wide and narrow', async ({ assert }) => {
    const user = await createUser()
    const link = await resetLink(user.email)
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        const page = await visit({ colorScheme, viewport: { width, height: 800 } })
        const faults: string[] = []
        page.on('console', (message) => faults.push(message.text()))
        await page.goto(link)
        await assertAccessible(page, assert)
        assert.deepEqual(faults, [])
      }
    }
  })
})
