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

/* Everything that is stored, made one time and proved after each change of an installation. */

const BACKENDS: Record<string, () => Promise<Backend | null>> = {
  'SQLite': async () => null,
  'Postgres and Redis': () => Backend.withRedis(),
}

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Stored kinds | ${name}`, (group) => {
    let installation: Installation
    let made: MadeKind[]
    group.setup(async () => {
      const counterpart = await startCounterparts()
      installation = await Installation.start(await start(), STORED_SETTINGS)
      made = await makeEveryKind(installation)
      return async () => {
        await installation.remove()
        await counterpart.stop()
      }
    })
    group.tap((each) => each.timeout(900_000))

    test('all are there after a restart', async ({ assert }) => {
      await installation.restart()
      assert.deepEqual(await proveEach(made, installation), expectedOf(made))
    })

    test('all are there after two rotations with old entries dropped', async ({ assert }) => {
      for (const losses of [[], ['dropped']] as const) {
        await installation.rotateSecrets()
        await installation.restart()
        assert.deepEqual(await proveEach(made, installation), expectedOf(made, ...losses))
        const keyrings = await installation.rotateSecrets('--drop-old', '--yes')
        await installation.restart()
        assert.deepEqual(await proveEach(made, installation), expectedOf(made, 'dropped'))
        const entries = keyrings.map(({ name: keyring, entries: count }) => [keyring, count])
        assert.deepEqual(Object.fromEntries(entries), {
          APP_KEY: 2,
          JWT_ACCESS_SECRETS: 1,
          JWT_REFRESH_SECRETS: 1,
          MFA_ENCRYPTION_KEYS: 2,
        })
      }
      const doctor = await installation.run(['doctor'])
      assert.match(doctor.stdout, /^✔ second factors/m)
    })
  })
}
