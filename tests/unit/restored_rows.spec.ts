import { test } from '@japa/runner'
import { changeRows } from '#backup/restore/changed_rows'

test.group('Restored rows', () => {
  test('{table} comes back: {comesBack}, where keys expire: {expireKeys}')
    .with([
      { table: 'api_keys', expireKeys: true, comesBack: false },
      { table: 'signing_keys', expireKeys: true, comesBack: false },
      { table: 'signing_keys', expireKeys: false, comesBack: true },
      { table: 'passkeys', expireKeys: true, comesBack: true },
    ])
    .run(({ assert }, { table, expireKeys, comesBack }) => {
      const changes = { isEncrypted: true, keepsTrail: true, expireKeys }
      assert.equal(changeRows({ table, rows: [] }, changes) !== null, comesBack)
    })
})
