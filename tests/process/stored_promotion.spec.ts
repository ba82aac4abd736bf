import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import {
  expectedOf,
  makeEveryKind,
  makeUnrevoked,
  proveEach,
  revokeEach,
  startCounterparts,
  STORED_SETTINGS,
} from '../functional/matrix/stored_kinds.ts'
import { Installation } from './installation.ts'
import { PromotedBackend } from './promotion_loss.ts'

/* Everything that is stored, proved on a standby that never received the last revocations. */

const LOST_COMMITS = 'the database has lost commits that were acknowledged'

/** What each store loses besides revocations. Redis itself stores the end of a session. */
const STORES = { database: ['resumed'], redis: [] } as const

for (const [store, losses] of Object.entries(STORES)) {
  test.group(`Stored kinds | promotion of a standby | ${store}`, (group) => {
    let backend: PromotedBackend
    let installation: Installation
    group.setup(async () => {
      const counterpart = await startCounterparts()
      backend = await PromotedBackend.withoutProducts(store)
      installation = await Installation.start(backend, STORED_SETTINGS)
      return async () => {
        await installation.remove()
        await counterpart.stop()
      }
    })

    test('all are there, and a lost revocation is logged', async ({ assert }) => {
      const revoked = await makeEveryKind(installation)
      const unrevoked = await makeUnrevoked(installation)
      await backend.loseCommits()
      await revokeEach(unrevoked)
      await backend.failOver()
      await installation.product.answers('/health/ready')
      await until(() => installation.product.hasLogged(LOST_COMMITS))
      assert.deepEqual(await proveEach(revoked, installation), expectedOf(revoked))
      const expected = expectedOf(unrevoked, 'unrevoked', ...losses)
      assert.deepEqual(await proveEach(unrevoked, installation), expected)
    }).timeout(600_000)
  })
}
