import db from '@adonisjs/lucid/services/db'
import { statementsOf } from './statements.ts'

/** Returns SQLite's query plan for each statement of `act` that names the table. */
export async function plansOf(table: string, act: () => Promise<unknown>) {
  const statements = await statementsOf(act)
  const reading = statements.filter((each) => each.includes(table))
  return Promise.all(
    reading.map(async (sql) => {
      const bindings = Array.from(sql.matchAll(/(\bkind`? = )?\?/g), ([, kind]) =>
        kind ? 'Grant' : 'x'
      )
      const plan = await db.rawQuery(`EXPLAIN QUERY PLAN ${sql}`, bindings)
      return plan.map(({ detail }: { detail: string }) => detail.replaceAll('`', '')).join()
    })
  )
}
