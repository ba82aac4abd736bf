import { randomUUID } from 'node:crypto'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { isEachAllowed, type LimitRow } from './limits.ts'
import type { ApiClient } from '@japa/api-client'

/** Each new name records an event. */
async function renamedUser(client: ApiClient, names: number) {
  const user = await createUser()
  const { headers } = await signedIn(client, user)
  for (let number = 1; number <= names; number++) {
    const nickname = `Ada ${number}`
    await client.put('/auth/profile').headers(headers).json({ nickname })
  }
  return { user, headers }
}

async function createUsers(count: number) {
  const username = `Listed ${randomUUID()}`
  for (let number = 1; number <= count; number++) await createUser({ username, password: null })
  return username
}

export const PAGE_LIMITS = {
  pageDepth: {
    lowered: 3,
    isAllowed: async (count, client) => {
      const { user, headers } = await renamedUser(client, 6)
      const search = await createUsers(6)
      const admin = await signedIn(client, await createAdmin())
      const isListed = async (path: string, filter: object, caller = admin.headers) => {
        const query = { ...filter, page: count, limit: 1 }
        const response = await client.get(path).qs(query).headers(caller)
        return response.status() === 200 && response.body().data.length === 1
      }
      return isEachAllowed({
        users: () => isListed('/users', { search }),
        events: () => isListed('/audit-events', { target: user.id }),
        activity: () => isListed('/auth/activity', {}, headers),
      })
    },
  },
} satisfies Record<string, LimitRow>
