import type { BaseSchema } from '@adonisjs/lucid/schema'

/*
 | What a process holds in memory is valid for one random version (`configuration_version.ts`). A
 | trigger renews the version with each change, so that no writer of any release can forget it.
 */

export interface VersionedTable {
  table: string
  /** An update of only other columns keeps the version. By default, all columns renew it. */
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
 * The version is renewed at the commit: an earlier renewal would lock out all other changes, in any
 * order of locks. A setting tells the connection of the change earlier (`watched_connection.ts`).
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

/** Call it before the table is dropped: dropping a table drops its triggers. */
export function unversionTable(migration: BaseSchema, { table }: VersionedTable) {
  const isPostgres = migration.db.dialect.name === 'postgres'
  const triggers = isPostgres
    ? [`note_${table} ON ${table}`, `renew_by_${table} ON ${table}`]
    : ['insert', 'update', 'delete'].map((name) => `renew_by_${name}_of_${table}`)
  for (const trigger of triggers) migration.schema.raw(`DROP TRIGGER ${trigger}`)
}
