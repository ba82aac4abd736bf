import { randomUUID } from 'node:crypto'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import type { Scope } from '#auth/api_keys/scopes'
import { applicationOf } from '#tests/support/delegates'
import { createAdmin, createUser, keyOf, PASSWORD, someEmail } from '#tests/support/fixtures'
import { newWebhook, removeWebhooks } from '#tests/support/webhook_endpoints'
import { isAnswered, type LimitRow } from './limits.ts'

/* The limits on writes by an API key or an application. Requests that change nothing also count. */

const SCOPES: Scope[] = [
  'users:write',
  'groups:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
]

export const DELEGATED_LIMITS = {
  addedUsers: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { headers } = await applicationOf(await createAdmin())
      const body = () => ({ email: someEmail(), password: PASSWORD })
      return isAnswered(count, () => client.post('/users').headers(headers).json(body()))
    },
  },
  /** Changes of users, groups and webhooks are counted together. */
  delegatedChanges: {
    lowered: 11,
    isAllowed: async (count, client) => {
      await removeWebhooks()
      const { headers } = await keyOf(await createAdmin(), SCOPES)
      const [{ id }, group] = [await createUser(), await someGroup()]
      const { id: webhookId } = await newWebhook()
      const webhook = `/webhooks/${webhookId}`
      const member = `/groups/${group}/members/${id}`
      const changes = [
        () => client.put(`/users/${id}`).json({ nickname: 'Ada' }),
        () => client.post(`/users/${id}/lock`).json({}),
        () => client.post(`/users/${id}/unlock`).json({}),
        () => client.put(member).json({}),
        () => client.delete(member).json({}),
        () => client.put(`/groups/${group}`).json({ title: 'Staff' }),
        () => client.post('/groups').json({ name: someName() }),
        () => client.delete(`/groups/${randomUUID()}`).json({}),
        () => client.put(`/users/${id}/groups`).json({ groups: [] }),
        () => client.put(webhook).json({ enabled: false }),
        () => client.post(`${webhook}/rotate-secret`).json({}),
      ]
      return isAnswered(count, (number) => changes[number % changes.length]().headers(headers))
    },
  },
} satisfies Record<string, LimitRow>

const someName = () => `Staff ${randomUUID()}`

async function someGroup() {
  const { id } = await createGroup({ name: someName() }, SYSTEM)
  return id
}
