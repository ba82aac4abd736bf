import { test } from '@japa/runner'
import { enteredScene, EVENTS, OUTCOMES } from './access_events.ts'
import { STEPS } from './openid_steps.ts'

/*
 | Every step of a flow × what takes an application from a user, or gives it, before the step. The
 | user is in the group that the application lets in.
 */

const CELLS = Object.keys(EVENTS).flatMap((event) =>
  (Object.keys(STEPS) as (keyof typeof STEPS)[]).map((step) => ({
    event,
    step,
    outcome: OUTCOMES[event][step],
  }))
)

test.group('Matrix | access to an application', () => {
  test('{step} after {event}: {outcome}')
    .with(CELLS)
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await enteredScene(client)
      const goOn = await STEPS[step](scene)
      await EVENTS[event](scene)
      assert.equal(await goOn(), outcome)
    })
})
