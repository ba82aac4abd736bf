import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import limits from '#config/limits'
import store from '#auth/store/service'
import { retryLater } from '#auth/lockout/late_store'
import { createUser, login, PASSWORD, signedIn } from '#tests/support/fixtures'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

/** As a database or Redis answers that is late. */
const late = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })

test.group('Late store', (group) => {
  group.each.setup(() => {
    const { lateReturns } = limits
    return () => {
      limits.lateReturns = lateReturns
    }
  })

  test('of {asked} attempts that wait {returned} are returned')
    .with([
      { asked: 1, returned: 1 },
      { asked: 2, returned: 2 },
      { asked: 3, returned: 2 },
    ])
    .run(async ({ assert }, { asked, returned }) => {
      limits.lateReturns = 2
      const taken: number[] = []
      const takeBack = async (attempt: number) => taken.push(attempt) > 0
      const attempts = Array.from({ length: asked }, (_, attempt) => attempt)
      await Promise.all(attempts.map((attempt) => retryLater(() => takeBack(attempt))))
      assert.lengthOf(taken, returned)
    })

  test('an attempt that was returned makes room for another', async ({ assert }) => {
    limits.lateReturns = 1
    const taken: string[] = []
    for (const attempt of ['first', 'second']) {
      await retryLater(async () => taken.push(attempt) > 0)
    }
    assert.deepEqual(taken, ['first', 'second'])
  })

  test('an attempt that it has counted is returned', async ({ client, assert, cleanup }) => {
    const user = await createUser()
    const { reserveAttempt, returnAttempt } = store
    const returned = Promise.withResolvers<void>()
    cleanup(() => void Object.assign(store, { reserveAttempt, returnAttempt }))
    store.reserveAttempt = async (...attempt) => {
      await reserveAttempt.apply(store, attempt)
      throw late()
    }
    store.returnAttempt = async (...attempt) => {
      const isReturned = await returnAttempt.apply(store, attempt)
      if (isReturned) returned.resolve()
      return isReturned
    }
    const refused = await login(client, { email: user.email })
    refused.assertStatus(503)
    await returned.promise
    Object.assign(store, { reserveAttempt, returnAttempt })
    const failed = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    assert.equal(failed.body().attemptsRemaining, 4)
  })

  test('codes that were not evaluated count against no limit', async ({
    client,
    assert,
    cleanup,
  }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const code = await giveSecondFactor(user)
    const confirm = () =>
      client.post('/auth/export').headers(headers).json({ currentPassword: PASSWORD, code })
    const { use } = encryption
    cleanup(() => void Object.assign(encryption, { use }))
    encryption.use = () => {
      throw late()
    }
    for (let count = 0; count <= limits.code.limit; count++) {
      const refused = await confirm()
      refused.assertStatus(503)
    }
    Object.assign(encryption, { use })
    const right = await confirm()
    right.assertStatus(200)
    const row = await db.from('users').where('id', user.id).first()
    assert.equal(row.mfa_failures, 0)
  })
})
