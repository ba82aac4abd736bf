import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import * as oidc from 'openid-client'
import { bootId } from '#database/boot_id'
import { deferSyncs } from '#database/sqlite_durability'
import { hashRecordId } from '#oidc/records/record_rows'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'

/* Codes are written to SQLite without a sync: a power cut may lose the last of these writes. */

/** If the system has no boot id, codes are synced as they are on Postgres. */
const isSynced = process.env.DB_CONNECTION === 'pg' || bootId === null

test.group('Code | power cut', () => {
  test('a code from an earlier run of the machine is refused', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(await createUser())
    await tokensOf(app, browser)
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    const id = answer.url.searchParams.get('code')!
    const stored = () =>
      db.from('oauth_records').where('id_hash', hashRecordId({ kind: 'AuthorizationCode', id }))
    const { payload } = await stored().firstOrFail()
    await stored().update({ payload: JSON.stringify({ ...JSON.parse(payload), run: 'earlier' }) })
    const error = await oidc
      .authorizationCodeGrant(app.config, answer.url, checks)
      .catch((caught) => caught)
    assert.equal(error.error, 'invalid_grant')
  }).skip(isSynced, 'each commit is synced')

  test('only writes of codes and counts are not synced: {0}')
    .with([
      ["INSERT INTO oauth_records (kind, payload) VALUES ('AuthorizationCode', ?)", 1],
      ["UPDATE oauth_records SET payload = ? WHERE kind = 'AuthorizationCode'", 1],
      ["UPDATE oauth_records SET payload = ? WHERE kind = 'RefreshToken'", 2],
      ['INSERT INTO oauth_records (kind, payload) VALUES (?, ?)', 2],
    ] as [string, number][])
    .run(({ assert }, [sql, synchronous]) => {
      const connection = new Sqlite(':memory:')
      connection.exec('CREATE TABLE oauth_records (kind text, payload text)')
      deferSyncs(connection)
      connection.prepare(sql)
      assert.equal(connection.pragma('synchronous', { simple: true }), synchronous)
      connection.close()
    })
    .skip(isSynced, 'each commit is synced')
})
