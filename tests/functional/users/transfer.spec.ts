import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { exportUsers } from '#users/transfer/export'
import { importUsers, type RefusedRow } from '#users/transfer/import'
import { countOutdatedHashes } from '#users/transfer/outdated_hashes'
import { prepareUser } from '#users/transfer/imported_user'
import { readRows } from '#users/transfer/read_rows'
import { addServiceAccount } from '#users/service_accounts'
import { lockUser } from '#users/lock_user'
import { setPassword } from '#users/change_password'
import { disableUser } from '#users/disable_user'
import { createAdmin, createUser, login, PASSWORD, someEmail } from '#tests/support/fixtures'

async function importRows(rows: object[]) {
  const refused: RefusedRow[] = []
  const source = Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`))
  const summary = await importUsers(readRows(source, 'ndjson'), {
    from: 'gatehouse',
    dryRun: false,
    actor: SYSTEM,
    onRefused: (row) => refused.push(row),
    onSkipped: () => {},
    onRenamed: () => {},
    onProgress: () => {},
  })
  return { summary, refused }
}

/** Exports these users, deletes them and imports the export. Other tests have left thousands. */
async function roundTrip(users: User[]) {
  const ids = users.map(({ id }) => id)
  const createdFrom = Math.min(...users.map(({ createdAt }) => createdAt.toMillis()))
  const all = await Array.fromAsync(exportUsers({ createdFrom }, { withHashes: true }))
  const rows = all.filter(({ id }) => ids.includes(String(id)))
  await User.query().whereIn('id', ids).delete()
  return importRows(rows)
}

const HOUR_MS = 3_600_000

/** A hash of `PASSWORD`. */
const BCRYPT = '$2b$10$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e'

/** Users whose rows differ in their columns. */
const KINDS: Record<string, () => Promise<User>> = {
  'person': () => createUser(),
  'person without a password': () => createUser({ password: null }),
  'administrator': () => createAdmin(),
  'service account': () => addServiceAccount({ username: 'worker' }, SYSTEM),
}

const PROOFS = ['2024-01-01 12:00:00.123456+00', '2024-01-01T12:00:00Z', '1704110400123']

/** Words for “no time” in databases, languages and tools. `Date.parse` reads some of them. */
const WORDS = ['', 'NULL', 'null', '\\N', '0', '1', 'never 1', 'infinity']
const NO_TIMES = ['0000-00-00 00:00:00', '0001-01-01 00:00:00', '1969-12-31 23:59:59Z']
const NO_PROOFS = [...WORDS, ...NO_TIMES]

test.group('Users | export and import', () => {
  test('{first} before {second} comes back')
    .with(
      Object.keys(KINDS).flatMap((first) => Object.keys(KINDS).map((second) => ({ first, second })))
    )
    .run(async ({ assert }, { first, second }) => {
      await createAdmin()
      const users = [await KINDS[first](), await KINDS[second]()]
      const before = users.map(({ id, kind, role, email }) => ({ id, kind, role, email }))
      const { summary } = await roundTrip(users)
      const found = await User.query().whereIn(
        'id',
        before.map(({ id }) => id)
      )
      const after = found.map(({ id, kind, role, email }) => ({ id, kind, role, email }))
      assert.equal(summary.imported, 2)
      assert.sameDeepMembers(after, before)
    })

  test('what keeps a user out does so afterwards', async ({ client, assert }) => {
    const [locked, disabled, asked] = [await createUser(), await createUser(), await createUser()]
    await lockUser(locked.id, Date.now() + HOUR_MS, SYSTEM)
    await disableUser(disabled.id, { reason: 'left' }, SYSTEM)
    await setPassword(asked, PASSWORD, { actor: SYSTEM, mustChange: true })
    await roundTrip([locked, disabled, asked])
    const codes = []
    for (const { email } of [locked, disabled, asked]) {
      const response = await login(client, { email })
      codes.push(response.body().code)
    }
    assert.deepEqual(codes, [
      'E_ACCOUNT_LOCKED',
      'E_ACCOUNT_DISABLED',
      'E_PASSWORD_CHANGE_REQUIRED',
    ])
    const { disabledReason } = await User.findOrFail(disabled.id)
    assert.equal(disabledReason, 'left')
  })

  test('a lock by failures is not carried over', async ({ client, assert }) => {
    const user = await createUser()
    await user.merge({ lockKind: 'failures' }).save()
    await db
      .from('users')
      .where('id', user.id)
      .update({ locked_until: Date.now() + HOUR_MS })
    await roundTrip([user])
    const response = await login(client, { email: user.email })
    assert.equal(response.status(), 200)
  })

  test('a refused row names its field: {field}')
    .with([
      { field: 'email', row: { email: 'nobody' } },
      { field: 'email', row: { username: 'Ada' } },
      { field: 'role', row: { email: someEmail(), role: 'Root' } },
      { field: 'passwordHash', row: { email: someEmail(), passwordHash: 'plain' } },
      { field: 'nickname', row: { email: someEmail(), nickname: 'a\u0000b' } },
      { field: 'identities', row: { email: someEmail(), identities: 7 } },
      {
        field: 'passkeys',
        row: { email: someEmail(), passkeyHandle: 'A'.repeat(43), passkeys: 7 },
      },
      { field: 'username', row: { kind: 'service' } },
    ])
    .run(async ({ assert }, { field, row }) => {
      const { summary, refused } = await importRows([row])
      assert.equal(summary.refused, 1)
      assert.containsSubset(refused, [{ line: 1, field }])
    })

  test('a row with {count} identities is refused: {isRefused}')
    .with([
      { count: 19, isRefused: false },
      { count: 20, isRefused: false },
      { count: 21, isRefused: true },
    ])
    .run(async ({ assert }, { count, isRefused }) => {
      const identities = Array.from({ length: count }, () => {
        return { provider: 'acme', issuer: 'https://idp.example', subject: randomUUID() }
      })
      const { summary } = await importRows([{ email: someEmail(), identities }])
      assert.equal(summary.refused, isRefused ? 1 : 0)
    })

  test('{from} keeps that a user {state}')
    .with([
      {
        from: 'keycloak',
        state: 'must change the password',
        row: { requiredActions: ['UPDATE_PASSWORD'] },
        expected: { isDisabled: false, mustChange: true },
      },
      {
        from: 'supabase',
        state: 'is banned without an end',
        row: { banned_until: 'infinity' },
        expected: { isDisabled: true, mustChange: false },
      },
      {
        from: 'supabase',
        state: 'was banned once',
        row: { banned_until: '2020-01-01T00:00:00Z' },
        expected: { isDisabled: false, mustChange: false },
      },
    ])
    .run(async ({ assert }, { from, row, expected }) => {
      const prepared = prepareUser({ email: someEmail(), ...row }, from)
      assert.equal(prepared.outcome, 'usable')
      const { user } = prepared as Extract<typeof prepared, { outcome: 'usable' }>
      const found = { isDisabled: user.disabled_at !== null, mustChange: user.must_change_password }
      assert.deepEqual(found, expected)
    })

  test('{from}: {time} as the time of the proof gives a verified address: {isVerified}')
    .with(
      [
        { from: 'supabase', column: 'email_confirmed_at' },
        { from: 'devise', column: 'confirmed_at' },
      ].flatMap((source) => [
        ...PROOFS.map((time) => ({ ...source, time, isVerified: true })),
        ...NO_PROOFS.map((time) => ({ ...source, time, isVerified: false })),
      ])
    )
    .run(async ({ assert }, { from, column, time, isVerified }) => {
      const prepared = prepareUser({ email: someEmail(), [column]: time }, from)
      const { user } = prepared as Extract<typeof prepared, { outcome: 'usable' }>
      assert.equal(user.email_verified_at !== null, isVerified)
    })

  test('devise: {deleted} as the time of a deletion disables: {isDisabled}')
    .with([
      ...['', 'NULL', '\\N'].map((deleted) => ({ deleted, isDisabled: false })),
      ...['2024-01-01 12:00:00', 'yesterday'].map((deleted) => ({ deleted, isDisabled: true })),
    ])
    .run(async ({ assert }, { deleted, isDisabled }) => {
      const prepared = prepareUser({ email: someEmail(), deleted_at: deleted }, 'devise')
      const { user } = prepared as Extract<typeof prepared, { outcome: 'usable' }>
      assert.equal(user.disabled_at !== null, isDisabled)
    })

  test('an identity stays what its owner linked: {linkedByOwner}')
    .with([{ linkedByOwner: true }, { linkedByOwner: false }])
    .run(async ({ assert }, { linkedByOwner }) => {
      const user = await createAdmin()
      const subject = user.id
      const identity = {
        userId: user.id,
        provider: 'corp',
        issuer: 'https://corp.example',
        subject,
      }
      await Identity.create({ ...identity, linkedByOwner })
      await roundTrip([user])
      const imported = await Identity.query().where('userId', user.id).firstOrFail()
      assert.equal(Boolean(imported.linkedByOwner), linkedByOwner)
    })

  test('a value that a database cannot hold keeps no other row out', async ({ assert }) => {
    const [first, second] = [someEmail(), someEmail()]
    const tooLong = { provider: 'p'.repeat(65), issuer: 'https://acme.example', subject: first }
    const passkey = {
      credentialId: Buffer.from(first).toString('base64url'),
      publicKey: 'AAAA',
      counter: 2 ** 63,
      deviceType: 'multiDevice',
      aaguid: '00000000-0000-0000-0000-000000000000',
    }
    const passkeyHandle = Buffer.from(first.repeat(3)).toString('base64url').slice(0, 43)
    const { summary } = await importRows([
      { email: first, identities: [tooLong], passkeyHandle, passkeys: [passkey] },
      { email: second, locale: 'x'.repeat(99), disabled: true, disabledReason: 'r'.repeat(999) },
    ])
    assert.containsSubset(summary, { imported: 2, refused: 0 })
  })

  test('the first login replaces a hash of another product', async ({ client, assert }) => {
    const [email, before] = [someEmail(), await countOutdatedHashes()]
    const { summary } = await importRows([{ email, passwordHash: BCRYPT }])
    const imported = await countOutdatedHashes()
    const response = await login(client, { email })
    response.assertStatus(200)
    const counts = [summary.otherHashes, imported - before, (await countOutdatedHashes()) - before]
    assert.deepEqual(counts, [1, 1, 0])
  })

  test('a row that the database refuses is reported without SQL', async ({ assert, cleanup }) => {
    const [good, bad] = [someEmail(), someEmail()]
    await refuseInDatabase(bad)
    cleanup(allowInDatabase)
    const { summary, refused } = await importRows([{ email: good }, { email: bad }])
    assert.containsSubset(summary, { imported: 1, refused: 1, skipped: 0 })
    assert.containsSubset(refused, [{ line: 2, email: bad }])
    assert.notMatch(refused[0].reason, /insert|select|values/i)
  })
})

const isPostgres = () => db.connection().dialect.name === 'postgres'

/** Adds a rule to the database itself, as an operator may have done. */
async function refuseInDatabase(email: string) {
  if (isPostgres())
    return db.rawQuery(`ALTER TABLE users ADD CONSTRAINT refused CHECK (email <> '${email}')`)
  await db.rawQuery(
    `CREATE TRIGGER refused BEFORE INSERT ON users WHEN NEW.email = '${email}'
     BEGIN SELECT RAISE(ABORT, 'insert refused'); END`
  )
}

async function allowInDatabase() {
  await db.rawQuery(
    isPostgres() ? 'ALTER TABLE users DROP CONSTRAINT refused' : 'DROP TRIGGER refused'
  )
}
