import { test } from '@japa/runner'
import {
  expectedOf,
  makeEveryKind,
  proveEach,
  startCounterparts,
  STORED_SETTINGS,
  type MadeKind,
} from '../functional/matrix/stored_kinds.ts'
import { Backend } from './backend.ts'
import { Installation } from './installation.ts'

/* Everything that is stored, made one time and proved in each installation that it moves to. */

const onSqlite = () => Installation.start(null, STORED_SETTINGS)
const onPostgres = async () => Installation.start(await Backend.withPostgres(), STORED_SETTINGS)

const MOVES = [
  { to: 'another SQLite', format: 'ndjson', start: onSqlite },
  { to: 'Postgres', format: 'csv', start: onPostgres },
  { to: 'another Postgres', format: 'json', start: onPostgres },
  { to: 'SQLite again', format: 'csv', start: onSqlite },
]

test.group('Stored kinds | export and import', (group) => {
  const installations: Installation[] = []
  let made: MadeKind[]
  group.setup(async () => {
    const counterpart = await startCounterparts()
    installations.push(await onSqlite())
    made = await makeEveryKind(installations[0])
    return async () => {
      for (const installation of installations) await installation.remove()
      await counterpart.stop()
    }
  })
  group.tap((each) => each.timeout(600_000))

  test('all are there in {to} by {format}')
    .with(MOVES)
    .run(async ({ assert }, { format, start }) => {
      const args = ['user:export', `--format=${format}`, '--with-hashes', '--yes']
      const { stdout } = await installations.at(-1)!.succeed(args)
      const next = await start()
      installations.push(next)
      const load = ['user:import', '-', `--format=${format}`, '--json']
      const { json } = await next.succeed(load, { stdin: stdout })
      const again = await next.succeed(load, { stdin: stdout })
      const { read, imported, skipped, refused } = json()
      assert.deepEqual([imported, skipped, refused], [read - 1, 1, 0])
      assert.containsSubset(again.json(), { imported: 0, refused: 0 })
      assert.deepEqual(await proveEach(made, next), expectedOf(made, 'imported'))
    })
})
