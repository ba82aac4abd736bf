import { join } from 'node:path'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { decodeClaims, PASSWORD, someEmail } from '#tests/support/fixtures'
import { Product } from './product.ts'

test.group('Refresh | rotation', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start({ REFRESH_ROTATION: 'on', REGISTER_IP_LIMIT: '0' })
  })
  group.teardown(() => product.remove())

  async function session() {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    const { body } = await product.ask('/auth/login', { body: user })
    return { ...user, ...body } as Record<string, string>
  }

  function refresh(refreshToken: string) {
    return product.ask('/auth/refresh', { body: { refreshToken } })
  }

  function inDatabase(sql: string, ...values: unknown[]) {
    const database = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'), { timeout: 2_000 })
    try {
      const statement = database.prepare(sql)
      return statement.reader ? statement.all(values) : statement.run(values)
    } finally {
      database.close()
    }
  }

  /** Refreshes with a token that was replaced `seconds` ago. */
  async function refreshAgain(seconds: number) {
    const { refreshToken } = await session()
    const startedAt = performance.now()
    await refresh(refreshToken)
    const { sessionId } = decodeClaims(refreshToken)
    const moved = 'UPDATE sessions SET rotated_at = rotated_at - ? WHERE id = ?'
    inDatabase(moved, seconds * 1_000, sessionId)
    const { status } = await refresh(refreshToken)
    return { status, tookMs: performance.now() - startedAt }
  }

  test('yields a successor that expires with the session', async ({ assert }) => {
    const { refreshToken } = await session()
    const { status, body } = await refresh(refreshToken)
    assert.equal(status, 200)
    assert.notEqual(body.refreshToken, refreshToken)
    assert.closeTo(decodeClaims(body.refreshToken).exp, decodeClaims(refreshToken).exp, 1)
    const next = await refresh(body.refreshToken)
    assert.equal(next.status, 200)
  })

  test('gives many at once the same successor', async ({ assert }) => {
    const { refreshToken } = await session()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(200)
    )
    assert.lengthOf(new Set(answers.map(({ body }) => body.refreshToken)), 1)
  })

  test('answers {status} to the old token {seconds} s later')
    .with([
      { seconds: 9, status: 200 },
      { seconds: 11, status: 401 },
    ])
    .run(async ({ assert }, { seconds, status }) => {
      let again = await refreshAgain(seconds)
      // One of ten seconds is left. If the requests themselves took it, the answer proves nothing.
      while (seconds === 9 && again.tookMs >= 1_000) again = await refreshAgain(seconds)
      assert.equal(again.status, status)
    })

  test('ends the session, audits and mails at reuse', async ({ assert }) => {
    const { refreshToken, accessToken, user } = (await session()) as any
    inDatabase('UPDATE users SET email_verified_at = created_at WHERE id = ?', user.id)
    const first = await refresh(refreshToken)
    const second = await refresh(first.body.refreshToken)
    const reused = await refresh(refreshToken)
    assert.equal(reused.status, 401)
    assert.equal(reused.body.message, 'Invalid refresh token')
    const latest = await refresh(second.body.refreshToken)
    assert.equal(latest.status, 401)
    const profile = await product.ask('/auth/profile', { token: accessToken })
    assert.equal(profile.status, 401)
    const events = inDatabase(
      `SELECT id FROM audit_events WHERE action = 'refresh.reused' AND target_id = ?`,
      user.id
    )
    const mails = inDatabase(
      `SELECT id FROM mails WHERE kind = 'refresh_reused' AND user_id = ?`,
      user.id
    )
    assert.lengthOf(events as unknown[], 1)
    assert.lengthOf(mails as unknown[], 1)
  })
})
