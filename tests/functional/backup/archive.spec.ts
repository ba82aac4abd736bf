import { readdirSync, readFileSync, statSync } from 'node:fs'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createBackup } from '#backup/create'
import { tableEntry } from '#backup/archive/manifest'
import { verifyBackup } from '#backup/verify'
import { createUser } from '#tests/support/fixtures'
import { Folder, newIdentity, unpack } from './archives.ts'

const PASSPHRASE = 'correct horse battery staple'

test.group('Backup | archive', (group) => {
  let folder: Folder
  group.setup(() => {
    folder = new Folder()
    return () => folder.remove()
  })
  group.tap((each) => each.timeout(60_000))

  test('a recipient opens it and finds each user', async ({ assert }) => {
    const user = await createUser()
    const { identity, recipient } = await newIdentity()
    const output = folder.file('recipient.age')
    const { manifest, bytes } = await createBackup({ output, recipients: [recipient] })
    const verified = await verifyBackup(output, { identities: [identity] })
    assert.deepEqual(verified.manifest, manifest)
    assert.isAbove(verified.counts.users, 0)
    assert.equal(bytes, statSync(output).size)
    assert.equal(statSync(output).mode & 0o777, 0o600)
    assert.notInclude(readFileSync(output, 'latin1'), user.email)
  })

  test('a passphrase opens it and another one does not', async ({ assert }) => {
    const output = folder.file('passphrase.age')
    await createBackup({ output, passphrase: PASSPHRASE })
    await assert.doesNotReject(() => verifyBackup(output, { passphrase: PASSPHRASE }))
    await assert.rejects(
      () => verifyBackup(output, { passphrase: 'another' }),
      'This passphrase does not open the backup.'
    )
  }).timeout(120_000)

  test('no secret is in it without encryption', async ({ assert }) => {
    const user = await createUser()
    const output = folder.file('plain')
    await createBackup({ output })
    const entries = await unpack(output)
    const names = entries.map(({ header }) => header.name)
    for (const table of ['api_keys', 'mfa_backup_codes', 'signing_keys'])
      assert.notInclude(names, tableEntry(table))
    assert.notInclude(names, 'keyrings.json')
    const users = entries.find(({ header }) => header.name === tableEntry('users'))!
    const rows = users.content
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.containsSubset(
      rows.find(({ id }) => id === user.id),
      { password: null, mfa_secret: null }
    )
  })

  test('settings without their secrets are in it', async ({ assert }) => {
    const row = { value: '"x"', version: 'x', updated_by: 'x', updated_at: 1 }
    const keys = ['BACKUP_TEST_OPEN', 'BACKUP_TEST_SECRET']
    const rows = keys.map((key) => ({ ...row, key, encrypted: key === keys[1] }))
    await db.table('settings').multiInsert(rows)
    try {
      await createBackup({ output: folder.file('settings') })
    } finally {
      await db.from('settings').whereIn('key', keys).delete()
    }
    await assert.doesNotReject(() => verifyBackup(folder.file('settings'), {}))
    const entries = await unpack(folder.file('settings'))
    const settings = entries.find(({ header }) => header.name === tableEntry('settings'))!
    const lines = settings.content.toString()
    assert.deepEqual(
      keys.map((key) => lines.includes(key)),
      [true, false]
    )
  })

  test('an aborted backup leaves no file', async ({ assert }) => {
    const before = readdirSync(folder.path)
    const reason = new Error('stopped')
    const backup = createBackup({
      output: folder.file('aborted'),
      signal: AbortSignal.abort(reason),
    })
    await assert.rejects(() => backup, 'stopped')
    assert.deepEqual(readdirSync(folder.path), before)
  })

  test('a folder that is missing is named', async ({ assert }) => {
    const output = folder.file('missing/backup')
    await assert.rejects(() => createBackup({ output }), /ENOENT/)
  })
})
