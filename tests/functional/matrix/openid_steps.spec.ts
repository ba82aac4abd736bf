import { test } from '@japa/runner'
import env from '#start/env'
import { createAdmin } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { EVENTS } from './openid_events.ts'
import { OUTCOMES } from './openid_outcomes.ts'
import { LIBRARIES, sceneOf, STEPS } from './openid_steps.ts'

/*
 | Every step of a flow × each event for the person or the client before it. The step is prepared,
 | the event happens, and the step is completed. A new step adds its function to STEPS and its
 | column here, a new event its row. Addresses must be verified.
 */

type Library = keyof typeof LIBRARIES

/**
 * A request is checked before anything is stored, whatever library sends it. Every backend tests
 * each step and each event with both libraries; SQLite tests each pair of a step and an event.
 */
const isEverywhere = ({ position }: { position: number }) => position % 2 === 0

test.group('Matrix | OpenID steps by event', (group) => {
  const cells = Object.entries(OUTCOMES).flatMap(([event, outcomes], row) =>
    Object.entries(outcomes).flatMap(([step, outcome], column) =>
      Object.keys(LIBRARIES).map((library, layer) => {
        return { event, step, outcome, library, position: row + column + layer }
      })
    )
  )

  group.each.setup(() => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    return () => env.set('REQUIRE_VERIFIED_EMAIL', false)
  })

  test('{step} after {event}: {outcome} ({library})')
    .with(cellsHere(cells, isEverywhere))
    .run(async ({ client, assert }, { event, step, outcome, library }) => {
      await createAdmin()
      const scene = await sceneOf(client, await createAdmin(), LIBRARIES[library as Library])
      const goOn = await STEPS[step as keyof typeof STEPS](scene)
      await EVENTS[event as keyof typeof EVENTS](scene)
      assert.equal(await goOn(), outcome)
    })
})
