import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { exportUsers } from '#users/transfer/export'
import { importUsers } from '#users/transfer/import'
import { createUser } from '#tests/support/fixtures'
import { givePasskey, passkeyLogin } from '#tests/support/passkeys'

async function exported({ email }: User, { withHashes }: { withHashes: boolean }) {
  for await (const row of exportUsers({ search: email }, { withHashes })) return row
  throw new Error('nobody was exported')
}

async function imported(row: object) {
  async function* rows() {
    yield { line: 1, row }
  }
  const ignore = () => {}
  const ofRows = { onRefused: ignore, onSkipped: ignore, onRenamed: ignore }
  const callbacks = { ...ofRows, onProgress: ignore }
  return importUsers(rows(), { from: 'gatehouse', dryRun: false, actor: SYSTEM, ...callbacks })
}

test.group('Passkeys | export and import', () => {
  test('a passkey works after an import with hashes', async ({ client, assert }) => {
    const user = await createUser({ password: null })
    const { authenticator } = await givePasskey(user, { name: 'Phone' })
    const row = await exported(user, { withHashes: true })
    await User.query().where('id', user.id).delete()
    await imported(row)
    const response = await passkeyLogin(client, authenticator)
    const { passkeyCount } = await User.findOrFail(user.id)
    assert.equal(response.body().user?.id, user.id)
    assert.equal(passkeyCount, 1)
  })

  test('a row of a table has its passkeys as JSON', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    const row = await exported(user, { withHashes: true })
    await User.query().where('id', user.id).delete()
    await imported({ ...row, passkeys: JSON.stringify(row.passkeys) })
    const response = await passkeyLogin(client, authenticator)
    assert.equal(response.status(), 200)
  })

  test('an export without hashes has no passkey', async ({ assert }) => {
    const user = await createUser()
    await givePasskey(user)
    const row = await exported(user, { withHashes: false })
    assert.notProperty(row, 'passkeys')
    assert.notProperty(row, 'passkeyHandle')
  })

  test('a passkey that {what} is left out')
    .with([
      { what: 'has no key', change: { publicKey: '' } },
      { what: 'has no id', change: { credentialId: '?' } },
      { what: 'counts backwards', change: { counter: -1 } },
      { what: 'is of no kind', change: { deviceType: 'evil' } },
      { what: 'is of no maker', change: { aaguid: '<script>' } },
    ])
    .run(async ({ assert }, { change }) => {
      const user = await createUser()
      await givePasskey(user)
      const row = await exported(user, { withHashes: true })
      await User.query().where('id', user.id).delete()
      const [passkey] = row.passkeys as object[]
      const summary = await imported({ ...row, passkeys: [{ ...passkey, ...change }] })
      assert.equal(summary.imported, 1)
      assert.lengthOf(await db.from('passkeys').where('user_id', user.id), 0)
    })

  test('an import moves no passkey to another user', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    const row = await exported(user, { withHashes: true })
    const other = { id: undefined, email: `other-${user.email}`, passkeyHandle: 'A'.repeat(43) }
    await imported({ ...row, ...other })
    const response = await passkeyLogin(client, authenticator)
    assert.equal(response.body().user?.id, user.id)
  })
})
