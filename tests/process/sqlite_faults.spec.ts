import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { newcomer, profileStatus, signIn } from './backend.ts'
import { newDataDir, Product } from './product.ts'
import { DISKS_FORBIDDEN, SmallDisk } from './small_disk.ts'

function someUser() {
  return { email: someEmail(), username: 'ada', password: PASSWORD }
}

test.group('SQLite | another writer', () => {
  test('answers 503 while it holds the database, then heals', async ({ assert }) => {
    const product = await Product.start()
    const other = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'))
    try {
      const { token } = await newcomer(product)
      other.exec('BEGIN IMMEDIATE')
      const startedAt = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => product.request('/auth/register', { body: someUser() }))
      )
      const tookMs = performance.now() - startedAt
      const profile = await profileStatus(product, token)
      other.exec('ROLLBACK')
      for (const { status, response } of answers) {
        assert.equal(status, 503)
        assert.isAtLeast(Number(response.headers.get('retry-after')), 1)
      }
      assert.isBelow(tookMs, 3_000 + SCHEDULING_MS)
      assert.equal(profile, 200)
      const { status } = await product.request('/auth/register', { body: someUser() })
      assert.equal(status, 201)
    } finally {
      other.close()
      await product.remove()
    }
  })

  test('is believed from its commit on, under load', async ({ assert }) => {
    const product = await Product.start({ LOGIN_THROTTLE_LIMIT: '0' })
    const other = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'))
    const end = other.prepare('DELETE FROM sessions WHERE id = ?')
    try {
      const user = await newcomer(product)
      let isLoaded = true
      const load = Array.from({ length: 16 }, async () => {
        while (isLoaded) await profileStatus(product, user.token)
      })
      for (let round = 1; round <= 20; round++) {
        const { token } = await signIn(product, user)
        const before = await profileStatus(product, token)
        const { jti } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
        end.run(jti.split('.')[0])
        assert.deepEqual([before, await profileStatus(product, token)], [200, 401])
      }
      isLoaded = false
      await Promise.all(load)
    } finally {
      other.close()
      await product.remove()
    }
  })
})

test.group('SQLite | full disk', (group) => {
  const folder = newDataDir()
  const canMount = SmallDisk.isAllowed()
  let disk: SmallDisk | undefined
  group.setup(() => {
    if (canMount) disk = new SmallDisk(folder, '6m')
  })
  group.teardown(() => {
    disk?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('refuses writes with 503, loses nothing, then heals', async ({ assert }) => {
    const product = await Product.start({}, folder)
    try {
      const user = await newcomer(product)
      const ballast = join(folder, 'ballast')
      assert.throws(() => writeFileSync(ballast, Buffer.alloc(8 * 1_024 * 1_024)), /ENOSPC/)
      const statuses = new Set<number>()
      for (let count = 1; count <= 5; count++) {
        const { status } = await product.request('/auth/register', { body: someUser() })
        statuses.add(status)
      }
      const profile = await profileStatus(product, user.token)
      rmSync(ballast)
      assert.include([...statuses], 503)
      assert.includeMembers([201, 503], [...statuses])
      assert.equal(profile, 200)
      const { token } = await signIn(product, user)
      assert.equal(await profileStatus(product, token), 200)
    } finally {
      await product.stop('SIGKILL')
    }
  }).skip(!canMount, DISKS_FORBIDDEN)
})
