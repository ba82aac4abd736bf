import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { TABLES_WITHOUT_MODEL } from '#config/database'
import { isOfSearchIndex, KEPT_TABLES, TABLES } from '#backup/tables'
import { OPEN_COLUMNS } from './open_columns.ts'

test.group('Backup | tables', () => {
  test('each table is kept or left out by name', async ({ assert }) => {
    const tables = await db.connection().getAllTables(['public'])
    assert.sameMembers(
      tables.filter((name) => !isOfSearchIndex(name)),
      Object.keys(TABLES)
    )
  })

  test('each table has a model, or is named as one without', async ({ assert }) => {
    const tables = Object.keys(TABLES).filter((name) => !name.startsWith('adonis_schema'))
    const named = TABLES_WITHOUT_MODEL.filter((name) => !isOfSearchIndex(name))
    assert.sameMembers([...named, User.table, Identity.table], tables)
  })

  test('columns of {0} that a backup names exist')
    .with(KEPT_TABLES)
    .run(async ({ assert }, [table, { key, without, secret, secretRows }]) => {
      const columns = await db.connection().columnsInfo(table)
      const rows = secretRows === null ? [] : [secretRows]
      assert.includeMembers(Object.keys(columns), [...key, ...without, ...secret, ...rows])
    })

  test('each column of {0} is open, secret or left out by name')
    .with(KEPT_TABLES.filter(([, { isSecret }]) => !isSecret))
    .run(async ({ assert }, [table, { without, secret, secretRows }]) => {
      const named = [
        ...OPEN_COLUMNS[table],
        ...without,
        ...secret,
        ...(secretRows ? [secretRows] : []),
      ]
      assert.sameMembers(Object.keys(await db.connection().columnsInfo(table)), named)
    })
})
