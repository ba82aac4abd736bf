import { test } from '@japa/runner'
import {
  expectedOf,
  makeEveryKind,
  makeUnrevoked,
  proveEach,
  revokeEach,
  startCounterparts,
  STORED_SETTINGS,
} from '../functional/matrix/stored_kinds.ts'
import { Backend } from './backend.ts'
import { Installation } from './installation.ts'

/* Everything that is stored, proved after Redis has lost its data or returned with old data. */

test.group('Stored kinds | data of Redis', (group) => {
  let installation: Installation
  let redis: NonNullable<Backend['redis']>
  group.setup(async () => {
    const counterpart = await startCounterparts()
    const backend = await Backend.withRedis(['--dbfilename', 'old.rdb'])
    redis = backend.redis!
    installation = await Installation.start(backend, STORED_SETTINGS)
    return async () => {
      await installation.remove()
      await counterpart.stop()
    }
  })
  group.tap((each) => each.timeout(600_000))

  /** The server is killed, and starts again from the last snapshot in its folder. */
  async function startAgain() {
    await redis.stop('SIGKILL')
    await redis.resume()
    await installation.product.answers('/health/ready')
  }

  const LOSSES = [
    { how: 'a new server without data', lose: startAgain },
    { how: 'FLUSHALL', lose: () => redis.command('FLUSHALL') },
  ]

  test('only sessions are lost by {how}')
    .with(LOSSES)
    .run(async ({ assert }, { lose }) => {
      const made = await makeEveryKind(installation)
      await lose()
      assert.deepEqual(await proveEach(made, installation), expectedOf(made, 'emptied'))
    })

  test('what was revoked stays so once an older snapshot is back', async ({ assert }) => {
    const made = await makeUnrevoked(installation)
    await redis.command('SAVE')
    await revokeEach(made)
    await startAgain()
    assert.deepEqual(await proveEach(made, installation), expectedOf(made))
  })
})
