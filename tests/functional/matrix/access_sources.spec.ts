import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/external'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findGroupByName } from '#groups/group_rows'
import { leaveLapsedGroups, leaveProvidedGroups } from '#groups/provided/leave_provided'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { cellsHere } from '#tests/support/proved_on'
import { cellsOf, enteredScene, EVENTS, LOST, OUTCOMES, type Entered } from './access_events.ts'
import { setClaims } from '../auth/claimed_tokens.ts'
import { OPEN, type Outcomes } from './openid_outcomes.ts'
import { STEPS } from './openid_steps.ts'

/* Every step of a flow × groups that a provider sets, and × claims of our own access tokens. */

const PROVIDER = 'hostile'

/** Sets the provided groups, as each sign-in by the provider does. */
function signInWith(userId: string, groups: string[]) {
  return db.transaction(async (trx) => {
    await User.lockForUpdate(userId, trx)
    await setProvidedGroups({ userId, provider: PROVIDER, groups, actor: SYSTEM }, trx)
  })
}

async function joinByProvider(userId: string) {
  const name = `staff-${randomUUID()}`
  await signInWith(userId, [name])
  return (await findGroupByName(`${PROVIDER}:${name}`))!
}

function leaveProvider({ user }: Entered) {
  return db.transaction(async (trx) => {
    await User.lockForUpdate(user.id, trx)
    await leaveProvidedGroups({ userId: user.id, provider: PROVIDER }, trx)
  })
}

async function stayAway({ user }: Entered) {
  const seenAt = Date.now() - settings.groupsTtlMs - 60_000
  await db.from('provider_memberships').where('user_id', user.id).update({ seen_at: seenAt })
  await leaveLapsedGroups()
}

const PROVIDED: Record<string, (scene: Entered) => Promise<unknown>> = {
  'a sign-in without the group': ({ user }) => signInWith(user.id, [`other-${randomUUID()}`]),
  'a sign-in with the group': ({ user, group }) =>
    signInWith(user.id, [group.name.slice(PROVIDER.length + 1)]),
  'unlinking the provider': leaveProvider,
  'thirty days without a sign-in': stayAway,
}

const outcomesOf = (event: string): Outcomes => (event === 'a sign-in with the group' ? OPEN : LOST)

/** A change of what tokens carry refuses our own alone. */
const CLAIMED = [
  'leaving the group',
  'deletion of the group',
  'another allowed group',
  'another name of the group',
  'two factors that are required',
]

const HOLD_TOKENS = ['the code', 'the refresh', 'userinfo', 'the API', 'introspection']

/** The claims of tokens matter only to the steps that hold a token. */
const isEverywhere = ({ step }: { step: string }) => HOLD_TOKENS.includes(step)

test.group('Matrix | access by a group of a provider', () => {
  test('{step} after {event}: {outcome}')
    .with(cellsOf(Object.keys(PROVIDED), outcomesOf))
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await enteredScene(client, joinByProvider)
      const goOn = await STEPS[step](scene)
      await PROVIDED[event](scene)
      assert.equal(await goOn(), outcome)
    })
})

test.group('Matrix | access while tokens carry groups', (group) => {
  group.each.setup(() => {
    setClaims({ groups: 'groups' })
    return () => setClaims({})
  })

  test('{step} after {event}: {outcome}')
    .with(
      cellsHere(
        cellsOf(CLAIMED, (event) => OUTCOMES[event]),
        isEverywhere
      )
    )
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await enteredScene(client)
      const goOn = await STEPS[step](scene)
      await EVENTS[event](scene)
      assert.equal(await goOn(), outcome)
    })

  test('{step} stays open to a member of a group that lets no one in: {outcome}')
    .with(
      cellsHere(
        cellsOf(['leaving the group'], () => OPEN),
        isEverywhere
      )
    )
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await enteredScene(client)
      await EVENTS['access for everybody'](scene)
      const goOn = await STEPS[step](scene)
      await EVENTS[event](scene)
      assert.equal(await goOn(), outcome)
    })
})
