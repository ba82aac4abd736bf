import type { Database } from 'better-sqlite3'

export function onWrite(connection: Database, listener: (sql: string) => void) {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql)
    if (!statement.readonly || sql === 'COMMIT;') listener(sql)
    return statement
  }) as typeof connection.prepare
}
