import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import KeyProviderGroups from '#database/migrations/0074_key_provider_groups'
import KeyGreekGroups from '#database/migrations/0075_key_greek_provider_groups'

/** Adds groups with the keys of an earlier release, and migrates again; all of it is rolled back. */
async function migrated(names: string[]) {
  const trx = await db.transaction()
  try {
    await trx.from('groups').delete()
    for (const name of names) {
      const key = name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
      const times = { created_at: 0, updated_at: 0 }
      await trx.table('groups').insert({ id: uuidv7(), name, name_key: key, ...times })
    }
    await new KeyProviderGroups(trx, '0074', false).execUp()
    await new KeyGreekGroups(trx, '0075', false).execUp()
    const rows = await trx.from('groups').select('name', 'name_key')
    const keys = new Map(rows.map(({ name, name_key: key }) => [name, key]))
    return names.map((name) => keys.get(name))
  } finally {
    await trx.rollback()
  }
}

test.group('Groups | names of an earlier release', () => {
  test('of providers are looked up by small letters alone', async ({ assert }) => {
    const names = ['acme:ſtaff', 'acme:Straße', 'acme:OPS', 'acme:ϴ-Ops', 'acme:Θ', 'Straße', 'ϴ']
    const keys = await migrated(names)
    assert.deepEqual(keys.slice(0, 5), [
      'acme:ſtaff',
      'acme:straße',
      'acme:ops',
      'acme:ϴ-ops',
      'acme:θ',
    ])
    assert.deepEqual(keys.slice(5), ['strasse', 'θ'])
  })

  test('that have one key now keep it with the first', async ({ assert }) => {
    const keys = await migrated(['acme:STRAẞE', 'acme:straße'])
    assert.equal(keys[0], 'acme:straße')
    assert.match(keys[1], /^acme:straße\n/)
  })
})
