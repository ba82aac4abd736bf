import type { BaseSchema } from '@adonisjs/lucid/schema'

/*
 | What a process holds in memory counts under one random version (`configuration_version.ts`). A
 | trigger renews it with each change, so that no writer can forget it, whatever its release.
 */

export interface VersionedTable {
  table: string
  /** An update of other columns alone keeps the version; all columns count by default. */
  columns?: string[]
}

export function versionTable(migration: BaseSchema, versioned: VersionedTable) {
  const isPostgres = migration.db.dialect.name === 'postgres'
  const statements = isPostgres ? onPostgres(versioned) : onSqlite(versioned)
  for (const statement of statements) migration.schema.raw(statement)
}

function updateOf({ columns }: VersionedTable) {
  return columns ? `UPDATE OF ${columns.join(', ')}` : 'UPDATE'
}

/**
 * The version is renewed at the commit: until then it would lock all other changes out, in any order
 * of locks. The setting tells the connection of the change before (`watched_connection.ts`).
 */
function onPostgres(versioned: VersionedTable) {
  const { table } = versioned
  const events = `INSERT OR DELETE OR ${updateOf(versioned)}`
  return [
    `CREATE TRIGGER note_${table} AFTER ${events} ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION note_configuration()`,
    `CREATE CONSTRAINT TRIGGER renew_by_${table} AFTER ${events} ON ${table}
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION renew_configuration()`,
  ]
}

function onSqlite(versioned: VersionedTable) {
  const { table } = versioned
  const events = { insert: 'INSERT', update: updateOf(versioned), delete: 'DELETE' }
  return Object.entries(events).map(
    ([name, event]) => `
      CREATE TRIGGER renew_by_${name}_of_${table} AFTER ${event} ON ${table}
      BEGIN UPDATE configuration_version SET version = lower(hex(randomblob(16))); END`
  )
}

/** Before the table is dropped; triggers of a dropped table go with it. */
export function unversionTable(migration: BaseSchema, { table }: VersionedTable) {
  const isPostgres = migration.db.dialect.name === 'postgres'
  const triggers = isPostgres
    ? [`note_${table} ON ${table}`, `renew_by_${table} ON ${table}`]
    : ['insert', 'update', 'delete'].map((name) => `renew_by_${name}_of_${table}`)
  for (const trigger of triggers) migration.schema.raw(`DROP TRIGGER ${trigger}`)
}
