import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { verifyTrail } from '#audit/chain/verification'
import { deleteUser } from '#users/delete_user'
import { createUser, login } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'
import type { Transaction } from '#database/transaction'

/** A user whose sign-in is in the chain. */
async function signedInUser(client: ApiClient) {
  const user = await createUser()
  await login(client, { email: user.email })
  await sealPending()
  return user
}

/** The verdict on a trail that somebody with access to the database has changed. */
async function verdictAfter(change: (trx: Transaction) => Promise<unknown>) {
  const trx = await db.transaction()
  try {
    await change(trx)
    return await verifyTrail({ client: trx })
  } finally {
    await trx.rollback()
  }
}

test.group('Missing keys', () => {
  test('of a user who exists are named', async ({ client, assert }) => {
    const { id } = await signedInUser(client)
    const key = await db.from('audit_keys').where('user_id', id).firstOrFail()
    const { isWhole, broken, missingKeys } = await verdictAfter((trx) =>
      trx.from('audit_keys').where('user_id', id).delete()
    )
    assert.isFalse(isWhole)
    assert.isNull(broken)
    assert.containsSubset(missingKeys, [{ userId: id, keyId: key.id }])
    assert.lengthOf(missingKeys, 1)
  })

  test('of a user who was removed without an event are named', async ({ client, assert }) => {
    const { id } = await signedInUser(client)
    const { isWhole, missingKeys } = await verdictAfter((trx) =>
      trx.from('users').where('id', id).delete()
    )
    assert.isFalse(isWhole)
    assert.deepEqual(
      missingKeys.map(({ userId }) => userId),
      [id]
    )
  })

  test('the verdict names keys that cannot be decrypted', async ({ client, assert }) => {
    const { id } = await signedInUser(client)
    const { missingKeys } = await verdictAfter((trx) =>
      trx.from('audit_keys').where('user_id', id).update({ secret: 'of nobody' })
    )
    assert.deepEqual(
      missingKeys.map(({ userId }) => userId),
      [id]
    )
  })

  test('are not excused by a forged deletion', async ({ client, assert }) => {
    const { id } = await signedInUser(client)
    const { missingKeys } = await verdictAfter(async (trx) => {
      const row = await trx.from('audit_events').where('target_id', id).firstOrFail()
      await trx.from('users').where('id', id).delete()
      const forged = { id: '00000000-0000-7000-8000-00000000000d', action: 'account.deleted' }
      await trx.table('audit_events').insert({ ...row, ...forged, sequence: null, hash: null })
    })
    assert.deepEqual(
      missingKeys.map(({ userId }) => userId),
      [id]
    )
  })

  test('of a deleted user are as they should be', async ({ client, assert }) => {
    const { id } = await signedInUser(client)
    await deleteUser(id, SYSTEM)
    const unsealed = await verifyTrail()
    assert.isTrue(unsealed.isWhole, JSON.stringify(unsealed))
    await sealPending()
    const sealed = await verifyTrail()
    assert.isTrue(sealed.isWhole, JSON.stringify(sealed))
  })
})
