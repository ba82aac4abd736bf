import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import {
  expectedOf,
  makeEveryKind,
  proveEach,
  startCounterparts,
  STORED_SETTINGS,
  type MadeKind,
} from '../functional/matrix/stored_kinds.ts'
import { newIdentity } from '../functional/backup/archives.ts'
import { Backend } from './backend.ts'
import { Installation } from './installation.ts'

/* Everything that is stored, made one time and proved in each installation restored from it. */

/** Returns the keyrings for the environment on Postgres. They were in `DATA_DIR` before. */
function keyringsOf({ dataDir, settings }: Installation) {
  if (settings.APP_KEY) return settings
  const { APP_KEY, MFA_ENCRYPTION_KEYS } = JSON.parse(
    readFileSync(join(dataDir, 'secrets.json'), 'utf8')
  )
  return { APP_KEY, MFA_ENCRYPTION_KEYS }
}

async function onRedis(from: Installation) {
  const { APP_KEY, MFA_ENCRYPTION_KEYS } = keyringsOf(from)
  const settings = { ...STORED_SETTINGS, APP_KEY, MFA_ENCRYPTION_KEYS }
  return Installation.prepare(await Backend.withRedis(), settings)
}

const MOVES = [
  { to: 'Postgres and Redis', prepare: onRedis },
  { to: 'SQLite again', prepare: async () => Installation.prepare(null, STORED_SETTINGS) },
]

test.group('Stored kinds | backup and restore', (group) => {
  const installations: Installation[] = []
  let made: MadeKind[]
  group.setup(async () => {
    const counterpart = await startCounterparts()
    installations.push(await Installation.start(null, STORED_SETTINGS))
    made = await makeEveryKind(installations[0])
    return async () => {
      for (const installation of installations) await installation.remove()
      await counterpart.stop()
    }
  })
  group.tap((each) => each.timeout(600_000))

  test('all are there in {to}')
    .with(MOVES)
    .run(async ({ assert }, { prepare }) => {
      const from = installations.at(-1)!
      const { identity, recipient } = await newIdentity()
      const [file, key] = [join(from.dataDir, 'backup.age'), join(from.dataDir, 'key.txt')]
      writeFileSync(key, identity)
      await from.succeed(['backup:create', `--recipient=${recipient}`, `--output=${file}`])
      const next = await prepare(from)
      installations.push(next)
      const { stderr } = await next.succeed(['backup:restore', file, `--identity=${key}`, '--yes'])
      assert.match(stderr, /is restored, and its audit log is whole: \d+ events\.$/m)
      await next.serve()
      const refused = await next.run(['backup:restore', file, `--identity=${key}`, '--yes'])
      assert.equal(refused.code, 4, refused.stderr)
      assert.deepEqual(await proveEach(made, next), expectedOf(made, 'restored'))
      const doctor = await next.run(['doctor'])
      assert.match(doctor.stdout, /^✔ second factors/m)
    })
})
