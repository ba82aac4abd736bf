import { randomUUID } from 'node:crypto'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { createUser } from '#tests/support/fixtures'
import { send, type Change, type Prover } from './change_requests.ts'

/* Changes of groups that no application names, as requests to the API. */

const someName = () => `Staff ${randomUUID()}`

async function newGroup() {
  return createGroup({ name: someName() }, SYSTEM)
}

function onGroup(change: (id: string) => Change): Change {
  return async (prover) => {
    const { id } = await newGroup()
    return change(id)(prover)
  }
}

/** Changes the membership of the user whose id `whose` returns. */
function onMember(method: 'put' | 'delete', whose: (prover: Prover) => Promise<string>): Change {
  return async (prover) => {
    const { id } = await newGroup()
    return send(method, `/groups/${id}/members/${await whose(prover)}`)(prover)
  }
}

async function someUser(role = 'User') {
  const { id } = await createUser({ role })
  return id
}

const setGroups: Change = async (prover) => {
  const { name } = await newGroup()
  return send('put', `/users/${await someUser()}/groups`, { groups: [name] })(prover)
}

/** Changes that API keys may also make. */
export const GROUP_CHANGES = {
  'a new group': (prover) => send('post', '/groups', { name: someName() })(prover),
  'the title of a group': onGroup((id) => send('put', `/groups/${id}`, { title: 'Staff' })),
  'the name of a group': onGroup((id) => send('put', `/groups/${id}`, { name: someName() })),
  'deleting a group': onGroup((id) => send('delete', `/groups/${id}`)),
  'a member of a group': onMember('put', () => someUser()),
  'the groups of a user': setGroups,
} satisfies Record<string, Change>

export const OWN_GROUP_CHANGES = {
  'an Admin in a group': onMember('put', () => someUser('Admin')),
  'oneself in a group': onMember('put', async ({ user }) => user.id),
} satisfies Record<string, Change>

/** A repeatable change: it changes nothing, because the user is no member. */
export const LEAVING = {
  'no member of a group': onMember('delete', () => someUser()),
} satisfies Record<string, Change>
