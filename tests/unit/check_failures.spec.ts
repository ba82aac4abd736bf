import { test } from '@japa/runner'
import { explainFailure } from '#health/check_failures'
import { inEnglish } from '#i18n/sentences'

const STATEMENT = 'select "id" from "users" where "id" = $1 - '

const ERRORS = [
  {
    kind: 'a server that is down',
    error: { code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 },
    message: 'Postgres does not answer (ECONNREFUSED 127.0.0.1:5432)',
    remedy: 'DATABASE_URL',
  },
  {
    kind: 'an unknown host',
    error: { code: 'ENOTFOUND', hostname: 'db.example' },
    message: 'Postgres does not answer (ENOTFOUND db.example)',
    remedy: 'DATABASE_URL',
  },
  { kind: 'a wrong password', error: { code: '28P01' }, remedy: 'DB_PASSWORD' },
  { kind: 'an absent database', error: { code: '3D000' }, remedy: 'DATABASE_URL' },
  { kind: 'a missing right', error: { code: '42501' }, remedy: 'DB_USER' },
  { kind: 'a full server', error: { code: '53300' }, remedy: 'pool in DATABASE_URL' },
  {
    kind: 'a private certificate',
    error: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    remedy: 'sslrootcert',
  },
  { kind: 'a damaged file', error: { code: 'SQLITE_CORRUPT' }, remedy: 'backup' },
  { kind: 'a file that is locked', error: { code: 'SQLITE_BUSY' }, remedy: 'End the program' },
  { kind: 'a full disk of files', error: { code: 'ENOSPC' }, remedy: 'the folder that you named' },
  { kind: 'a file of another user', error: { code: 'SQLITE_READONLY' }, remedy: 'DATA_DIR' },
]

function explain(check: string, error: object) {
  const { finding, remedy } = explainFailure(check, error)
  return { message: inEnglish(finding), remedy: inEnglish(remedy) }
}

test.group('Failed check of the doctor', () => {
  test('{kind} has a remedy in words of ours')
    .with(ERRORS)
    .run(({ assert }, { error, message, remedy }) => {
      const failure = explain('database', {
        message: `${STATEMENT}of the library`,
        ...error,
      })
      if (message) assert.equal(failure.message, message)
      assert.include(failure.remedy, remedy)
      assert.notMatch(JSON.stringify(failure), /select|of the library/)
    })

  test('a line that needs the database names that line', ({ assert }) => {
    const failure = explain('clock', { code: 'ECONNREFUSED' })
    assert.deepEqual(failure, {
      message: 'not checked',
      remedy: 'See “database”.',
    })
  })

  test('a missing table leads to the migrations')
    .with([
      { database: 'SQLite', error: { code: 'SQLITE_ERROR', message: 'no such table: mails' } },
      { database: 'Postgres', error: { code: '42P01', message: 'relation does not exist' } },
    ])
    .run(({ assert }, { error }) => {
      assert.equal(explain('mail', error).remedy, 'See “migrations” (Tables).')
      assert.include(explain('migrations', error).remedy, 'AUTO_MIGRATE')
    })

  test('sentinels that ask for a password are named', ({ assert }) => {
    const message = 'All sentinels are unreachable. Last error: NOAUTH Authentication required.'
    assert.include(explain('store', { message }).remedy, 'REDIS_SENTINELS')
  })

  test('an unknown error is told without its statement', ({ assert }) => {
    const failure = explain('mail', { message: `${STATEMENT}no idea\nsecond line` })
    assert.equal(failure.message, 'this check failed: no idea')
  })
})
