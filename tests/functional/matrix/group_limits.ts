import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { canonicalGroupName } from '#groups/group_name'
import { findGroupsByName, insertGroup, insertMissingGroups } from '#groups/group_rows'
import { addMember } from '#groups/members'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import type { LimitRow } from './limits.ts'
import type { ApiClient } from '@japa/api-client'

const someName = () => `Staff ${randomUUID()}`

async function signedInAdmin(client: ApiClient) {
  const admin = await createAdmin()
  const { headers } = await signedIn(client, admin)
  return { id: admin.id, headers }
}

/** Returns false if the last step fails with the error of the limit. */
async function isBelowLimit(step: () => Promise<unknown>) {
  try {
    await step()
    return true
  } catch (error) {
    if (error.code === 'E_GROUP_LIMIT') return false
    throw error
  }
}

/** Removes the groups of other tests; the rollback restores them. */
async function canHave(count: number) {
  const trx = await db.transaction()
  try {
    await trx.from('groups').delete()
    const names = Array.from({ length: count - 1 }, someName)
    await insertMissingGroups(names, trx)
    const last = { name: someName(), title: null, description: null }
    return await isBelowLimit(() => insertGroup(last, trx))
  } finally {
    await trx.rollback()
  }
}

/** Removes the groups of other tests; the rollback restores them. */
async function canBring(count: number) {
  const user = await createUser({ password: null })
  const trx = await db.transaction()
  try {
    await trx.from('groups').delete()
    await insertMissingGroups(Array.from({ length: count - 1 }, someName), trx)
    const signIn = { userId: user.id, provider: 'acme', groups: ['staff'], actor: SYSTEM }
    await setProvidedGroups(signIn, trx)
    const made = await findGroupsByName(['acme:staff'], trx)
    return made.length === 1
  } finally {
    await trx.rollback()
  }
}

export const GROUP_LIMITS = {
  groups: { lowered: 3, isAllowed: canHave },
  providedGroups: { lowered: 3, isAllowed: canBring },
  groupsOfUser: {
    lowered: 3,
    isAllowed: async (count) => {
      const user = await createUser({ password: null })
      let isAllowed = true
      for (let number = 1; number <= count; number++) {
        const { id } = await createGroup({ name: someName() }, SYSTEM)
        isAllowed = await isBelowLimit(() => addMember(user.id, id, SYSTEM))
      }
      return isAllowed
    },
  },
  groupPage: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const response = await client.get('/groups').headers(headers).qs({ limit: count })
      return response.status() === 200
    },
  },
  groupList: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const search = someName()
      for (let number = 0; number < count; number++)
        await createGroup({ name: `${search} ${number}` }, SYSTEM)
      const response = await client.get('/groups').headers(headers).qs({ search })
      return response.body().length === count
    },
  },
  groupNames: {
    isAllowed: async (count, client) => {
      const { id, headers } = await signedInAdmin(client)
      const { name } = await createGroup({ name: someName() }, SYSTEM)
      const groups = Array.from({ length: count }, () => name)
      const response = await client.put(`/users/${id}/groups`).headers(headers).json({ groups })
      return response.status() === 200
    },
  },
  groupName: { isAllowed: async (count) => canonicalGroupName('x'.repeat(count)) !== null },
} satisfies Record<string, LimitRow>
