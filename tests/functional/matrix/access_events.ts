import { randomUUID } from 'node:crypto'
import { SYSTEM } from '#audit/actor'
import { updateClient } from '#oidc/clients/clients'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { addMember, removeMember, setGroupsOf } from '#groups/members'
import { createUser } from '#tests/support/fixtures'
import { OPEN, type Outcomes } from './openid_outcomes.ts'
import { LIBRARIES, sceneOf, STEPS, type Scene } from './openid_steps.ts'
import type { Group } from '#groups/group'

/* The events that take an application from a user or give it, and the outcome of each step. */

/** The user belongs to the group that the application admits. */
export interface Entered extends Scene {
  group: Group
}

type Join = (userId: string) => Promise<Group>

async function joinGroup(userId: string) {
  const group = await createGroup({ name: `staff-${randomUUID()}` }, SYSTEM)
  await addMember(userId, group.id, SYSTEM)
  return group
}

export async function enteredScene(
  client: Scene['client'],
  join: Join = joinGroup
): Promise<Entered> {
  const user = await createUser({ isVerified: true })
  const group = await join(user.id)
  const rule = { access: 'groups' as const, allowedGroups: [group.name] }
  return { ...(await sceneOf(client, user, { ...LIBRARIES['PKCE and ES256'], ...rule })), group }
}

const update = (settings: Parameters<typeof updateClient>[1]) => {
  return ({ app }: Entered) => updateClient(app.client.id, settings, SYSTEM)
}

async function otherGroup({ app }: Entered) {
  const { name } = await createGroup({ name: `other-${randomUUID()}` }, SYSTEM)
  await updateClient(app.client.id, { allowedGroups: [name] }, SYSTEM)
}

export const EVENTS: Record<string, (scene: Entered) => Promise<unknown>> = {
  'leaving the group': ({ user, group }) => removeMember(user.id, group.id, SYSTEM),
  'other groups of the user': ({ user }) => setGroupsOf(user.id, [], SYSTEM),
  'deletion of the group': ({ group }) => deleteGroup(group.id, SYSTEM),
  'another allowed group': otherGroup,
  'no allowed group': update({ allowedGroups: [] }),
  'another name of the group': ({ group }) =>
    updateGroup(group.id, { name: `new-${randomUUID()}` }, SYSTEM),
  'access for everybody': update({ access: 'everybody', allowedGroups: [] }),
  'two factors that are required': update({ requireMfa: true }),
}

const PAGE = '403 /oauth/interaction'

export const LOST: Outcomes = {
  'the sign-in': PAGE,
  'the second factor': PAGE,
  'the choice of an account': PAGE,
  'the consent': PAGE,
  'the consent to a claim': PAGE,
  'another authorization': PAGE,
  'a pushed request': PAGE,
  'the code of an address': PAGE,
  'the code': 'invalid_grant',
  'the refresh': 'invalid_grant',
  'userinfo': 'invalid_token',
  'the logout': '200 /oauth/logout',
  'the API': '401 E_TOKEN_REVOKED',
  'introspection': 'active: false',
  'introspection of an API token': 'active: false',
  'introspection of a token for others': 'active: false',
  'the sign-in for a device': '200 /oauth/device',
  'the consent for a device': '403, access_denied',
  'the poll of a device': 'invalid_grant',
}

/** The user has a second factor only if the step sets one up. */
const FACTOR: Outcomes = {
  ...LOST,
  'the second factor': 'code',
  'the consent for a device': '403, authorization_pending',
}

export const OUTCOMES: Record<keyof typeof EVENTS, Outcomes> = {
  'leaving the group': LOST,
  'other groups of the user': LOST,
  'deletion of the group': LOST,
  'another allowed group': LOST,
  'no allowed group': LOST,
  'another name of the group': OPEN,
  'access for everybody': OPEN,
  'two factors that are required': FACTOR,
}

/** Lists every step after each event. */
export function cellsOf(events: string[], outcomes: (event: string) => Outcomes) {
  return events.flatMap((event) =>
    (Object.keys(STEPS) as (keyof typeof STEPS)[]).map((step) => ({
      event,
      step,
      outcome: outcomes(event)[step],
    }))
  )
}
