import { test } from '@japa/runner'
import settings from '#config/signing_keys'
import { SYSTEM } from '#audit/actor'
import { listKeys } from '#auth/signing_keys/key_records'
import { readKeys } from '#auth/signing_keys/key_rows'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { ensureKey, prepareKeys } from '#auth/signing_keys/prepare_keys'
import { signWith } from '#tests/support/signing_keys'
import { assertAccessible, confirmPassword, visitAs, withBrowser } from './visitor.ts'

async function states() {
  const keys = await listKeys()
  return keys.map(({ state }) => state)
}

/** Makes a key in each state except expired. */
async function keysOfEachState() {
  await prepareKeys()
  const [{ kid }] = await listKeys()
  await rotateKeys(SYSTEM, { isImmediate: true })
  await revokeKey(kid, SYSTEM)
  await rotateKeys(SYSTEM)
}

const LOOKS = [
  { look: 'light', options: { colorScheme: 'light' as const } },
  { look: 'dark', options: { colorScheme: 'dark' as const } },
  { look: 'narrow', options: { viewport: { width: 390, height: 844 } } },
]

test.group('Console | keys', (group) => {
  withBrowser(group)
  signWith(group, 'ES256')

  test('the page is accessible and fits, {look}')
    .with(LOOKS)
    .run(async ({ assert }, { options, look }) => {
      await keysOfEachState()
      const { page } = await visitAs(undefined, { path: '/admin', ...options })
      if (look === 'narrow') await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'Signing keys' }).click()
      await page.getByRole('heading', { name: 'Signing keys' }).waitFor()
      await assertAccessible(page, assert)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${look}.png` })
    })

  test('an administrator rotates with a recent proof', async ({ assert }) => {
    await prepareKeys()
    const { page } = await visitAs()
    await page.goto('/admin/keys')
    await page.getByRole('link', { name: 'Rotate' }).click()
    await page.getByRole('heading', { name: 'Publish a new key?' }).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Publish key' }).click()
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    assert.deepEqual(await states(), ['signing'])
    await confirmPassword(page)
    await page.getByText('The new key is published').waitFor()
    assert.deepEqual(await states(), ['published', 'signing'])
    await page.getByRole('link', { name: 'Use the next key now' }).click()
    await page.getByRole('button', { name: 'Use it now' }).click()
    await page.getByText('The newest key signs now').waitFor()
    const [newest] = await states()
    assert.equal(newest, 'signing')
  })

  test('each key says which tokens it signs', async () => {
    await prepareKeys()
    await ensureKey('identity', await readKeys())
    const { page } = await visitAs(undefined, { path: '/admin/keys' })
    await page.getByRole('cell', { name: 'Access tokens' }).waitFor()
    await page.getByRole('cell', { name: 'ID tokens' }).waitFor()
  })

  test('an administrator revokes a key', async ({ assert }) => {
    await prepareKeys()
    const { page } = await visitAs()
    await page.goto('/admin/keys')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await confirmPassword(page)
    await page.getByText('The key was revoked').waitFor()
    assert.deepEqual(await states(), ['signing', 'revoked'])
  })

  test('a rotation that another began is refused', async ({ assert }) => {
    await prepareKeys()
    const { page } = await visitAs(undefined, { idleMinutes: 1 })
    await page.goto('/admin/keys/rotate')
    await rotateKeys(SYSTEM)
    await page.getByRole('button', { name: 'Publish key' }).click()
    await page.getByText('The next key is published already').waitFor()
    assert.lengthOf(await states(), 2)
  })

  test('HS256 without keys has no such page in its menu', async ({ assert }) => {
    settings.algorithm = 'HS256'
    const { page } = await visitAs(undefined, { path: '/admin' })
    assert.equal(await page.getByRole('link', { name: 'Signing keys' }).count(), 0)
    await page.goto('/admin/keys')
    await page.getByText('No signing keys').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Rotate' }).count(), 0)
  })
})
