import { test } from '@japa/runner'
import { decodeClaims } from '#tests/support/fixtures'
import { ADMIN } from './application.ts'
import { newcomer, profileStatus, signIn } from './backend.ts'
import { PromotedBackend } from './promotion_loss.ts'
import type { Product } from './product.ts'

type Tokens = Awaited<ReturnType<typeof signIn>>

for (const store of ['database', 'redis']) {
  test.group(`Postgres | promotion of a standby that lacks commits | ${store}`, (group) => {
    let backend: PromotedBackend
    group.each.setup(async () => {
      backend = await PromotedBackend.start(store)
      return () => backend.remove()
    })

    /** Returns what a process says about a user, and what the user may do there. */
    async function seenBy(product: Product, tokens: Tokens) {
      const profile = await product.request('/auth/profile', { token: tokens.token })
      const { refreshToken } = tokens
      const refresh = await product.request('/auth/refresh', { body: { refreshToken } })
      const list = await product.request('/users', { token: tokens.token })
      tokens.refreshToken = refresh.body.refreshToken ?? refreshToken
      const { role, nickname } = profile.body
      const minted = decodeClaims(refresh.body.accessToken).role
      return { role, nickname, minted, mayList: list.status === 200 }
    }

    /** Makes a user an administrator, between two sessions, and loses that change. */
    async function loseRole() {
      const [one, other] = backend.products
      const user = await newcomer(one)
      const { token } = await signIn(one, ADMIN)
      await backend.loseCommits()
      await one.request(`/users/${user.id}`, { method: 'PUT', token, body: { role: 'Admin' } })
      const later = await signIn(one, user)
      const seen = [await seenBy(one, later), await seenBy(other, later)]
      const { version } = await backend.findUser(user.id)
      await backend.failOver()
      const isLaterAlive = (await profileStatus(one, later.token)) === 200
      return { id: user.id, version, seen, tokens: isLaterAlive ? later : user }
    }

    const LOST = { role: 'User', nickname: null, minted: 'User', mayList: false }

    test('no process keeps a role that was lost', async ({ assert }) => {
      const { seen, tokens } = await loseRole()
      const admin = { role: 'Admin', nickname: null, minted: 'Admin', mayList: true }
      assert.deepEqual(seen, [admin, admin])
      const [one, other] = backend.products
      assert.deepEqual([await seenBy(one, tokens), await seenBy(other, tokens)], [LOST, LOST])
    }).timeout(120_000)

    /** Adds a user as a bulk load does, without a key for the trail's data about this user. */
    async function loadUser() {
      const { id, email } = await newcomer(backend.products[0])
      const [row] = await backend.query(`
        INSERT INTO users
          (id, email, username, password, password_changed_at, created_at, updated_at)
        SELECT gen_random_uuid(), 'loaded-' || email, username, password, password_changed_at,
          created_at, updated_at
        FROM users WHERE id = '${id}' RETURNING id`)
      return { id: row.id as string, email: `loaded-${email}` }
    }

    test('the trail of later events can be read', async ({ assert }) => {
      const user = await loadUser()
      await backend.loseCommits()
      await signIn(backend.products[0], user)
      await backend.failOver()
      await backend.logged('the database has lost commits that were acknowledged')
      await signIn(backend.products[0], user)
      const events = await backend.query(`
        SELECT e.action, k.id IS NOT NULL AS "isReadable"
        FROM audit_events e LEFT JOIN audit_keys k ON k.id = e.origin_key
        WHERE e.target_id = '${user.id}'`)
      assert.deepEqual(events, [{ action: 'login.succeeded', isReadable: true }])
    }).timeout(120_000)

    /** After as many changes as were lost, a counter reaches the number of the lost record. */
    test('no process takes a lost record for a new one', async ({ assert }) => {
      const { id, tokens, version } = await loseRole()
      const [one, other] = backend.products
      let row = await backend.findUser(id)
      while (row.version < version) {
        const body = { nickname: `Grace ${row.version}` }
        await one.request('/auth/profile', { method: 'PUT', token: tokens.token, body })
        row = await backend.findUser(id)
      }
      assert.equal(row.version, version)
      const current = { ...LOST, nickname: row.nickname }
      assert.deepEqual([await seenBy(other, tokens), await seenBy(one, tokens)], [current, current])
      assert.equal(row.role, 'User')
    }).timeout(120_000)
  })
}
