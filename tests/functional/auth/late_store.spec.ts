import { getActiveTestOrFail, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import encryption from '@adonisjs/core/services/encryption'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { replaceBackupCodes } from '#auth/mfa/backup_codes'
import { reauthenticate } from '#auth/mfa/reauthentication'
import { startSession } from '#auth/sessions/sessions'
import store from '#auth/store/service'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import type User from '#models/user'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import { retryLater } from '#auth/store/late_store'
import { createUser, login, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

/** The error of a database or Redis that answers late. */
const late = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })

/** @returns a function that ends the fault, as does the end of the test */
function makeLate(method: 'startSession' | 'endSessions' | 'reauthenticateSession') {
  const original = store[method]
  const restore = () => void Object.assign(store, { [method]: original })
  const answerLate = async () => {
    throw late()
  }
  getActiveTestOrFail().cleanup(restore)
  Object.assign(store, { [method]: answerLate })
  return restore
}

async function backupCodeOf(user: User) {
  await giveSecondFactor(user)
  const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
  return code
}

type Make = (client: ApiClient, user: User) => Promise<() => PromiseLike<ApiResponse>>

const send = (client: ApiClient, path: string, body: object) => () =>
  client.post(path).header('x-forwarded-for', someAddress()).json(body)

function besidePassword(codeOf: (user: User) => Promise<string>): Make {
  return async (client, user) => {
    const code = await codeOf(user)
    return send(client, '/auth/login', { email: user.email, password: PASSWORD, code })
  }
}

const secondStep: Make = async (client, user) => {
  const code = await backupCodeOf(user)
  const challenge = await login(client, { email: user.email })
  return send(client, '/auth/mfa/verify', { mfaToken: challenge.body().mfaToken, code })
}

const resetLink: Make = async (client, user) => {
  const token = await db.transaction((trx) =>
    issueOneTimeToken(user, { purpose: 'password_reset' }, trx)
  )
  return send(client, '/auth/reset-password', { token, newPassword: `${PASSWORD}2` })
}

/** Each proof that can be used only once × the store that is lost while it is used. */
const PROOFS: { proof: string; lost: 'startSession' | 'endSessions'; make: Make }[] = [
  {
    proof: 'a backup code beside the password',
    lost: 'startSession',
    make: besidePassword(backupCodeOf),
  },
  {
    proof: 'a one-time code beside the password',
    lost: 'startSession',
    make: besidePassword(giveSecondFactor),
  },
  { proof: 'a backup code of the second step', lost: 'startSession', make: secondStep },
  { proof: 'a reset link', lost: 'endSessions', make: resetLink },
]

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

  test('{proof} works again where the store was lost')
    .with(PROOFS)
    .run(async ({ client, assert }, { make, lost }) => {
      const user = await createUser()
      const use = await make(client, user)
      const restore = makeLate(lost)
      const first = await use()
      restore()
      const answers = [first, await use(), await use()]
      assert.deepEqual(
        answers.map((answer) => Math.floor(answer.status() / 100)),
        [5, 2, 4]
      )
    })

  test('a backup code that confirmed nothing works again', async ({ assert }) => {
    const user = await createUser()
    const code = await backupCodeOf(user)
    const device = { id: 'default', ip: someAddress(), userAgent: null }
    const { session } = await startSession(user, { device, method: 'password', amr: ['pwd'] })
    const restore = makeLate('reauthenticateSession')
    const actor = { ...SYSTEM, id: user.id }
    const credentials = { currentPassword: PASSWORD, code }
    const confirm = () => reauthenticate(user, { sessionId: session.id, actor, credentials })
    await assert.rejects(confirm, 'timed out')
    restore()
    await confirm()
    await assert.rejects(confirm)
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
