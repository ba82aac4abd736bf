import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { reencrypt } from '#setup/reencryption'
import { createUser } from '#tests/support/fixtures'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

const KEYRING = 'MFA_ENCRYPTION_KEYS'

/** Puts a new entry before the entry under which everything is encrypted. */
function addEntry(cleanup: (undo: () => void) => void) {
  const entries = env.get(KEYRING)
  env.set(KEYRING, ['a-new-entry-k9PzV1qYc7LwR3tXbN5mGd8HfJs2Qa', ...entries] as never)
  cleanup(() => env.set(KEYRING, entries as never))
}

/** Runs `race` after the first batch was read and before it is written. */
function beforeWrite(race: () => Promise<unknown>, cleanup: (undo: () => void) => void) {
  const { transaction } = db
  const restore = () => Object.assign(db, { transaction })
  cleanup(restore)
  const raced = async (...args: unknown[]) => {
    restore()
    await race()
    return transaction.apply(db, args as never)
  }
  Object.assign(db, { transaction: raced })
}

test('a secret that is removed meanwhile is not counted as encrypted again', async ({
  assert,
  cleanup,
}) => {
  const users = [await createUser(), await createUser()]
  for (const user of users) await giveSecondFactor(user)
  const ids = users.map(({ id }) => id)
  await db.from('users').whereNotIn('id', ids).update({ mfa_secret: null })
  addEntry(cleanup)
  const removal = () => db.from('users').where('id', users[0].id).update({ mfa_secret: null })
  beforeWrite(removal, cleanup)
  const results = await reencrypt([KEYRING], () => {})
  const { changed } = results.find(({ content }) => content === 'one-time secrets')!
  assert.equal(changed, 1)
})
