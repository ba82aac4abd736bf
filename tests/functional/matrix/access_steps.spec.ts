import { test } from '@japa/runner'
import { cellsOf, enteredScene, EVENTS, OUTCOMES } from './access_events.ts'
import { STEPS } from './openid_steps.ts'

/*
 | Every step of a flow × each event before the step that takes an application from a user or gives
 | it. The user belongs to the group that the application admits.
 */

test.group('Matrix | access to an application', () => {
  test('{step} after {event}: {outcome}')
    .with(cellsOf(Object.keys(EVENTS), (event) => OUTCOMES[event]))
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await enteredScene(client)
      const goOn = await STEPS[step](scene)
      await EVENTS[event](scene)
      assert.equal(await goOn(), outcome)
    })
})
