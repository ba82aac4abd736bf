import { setImmediate as nextTurn } from 'node:timers/promises'
import { queueSecretHash } from '#auth/passwords/hash_queue'
import { someAddress } from '#tests/support/fixtures'
import { hashedClient } from '#tests/support/hashed_client'
import { digestOf } from '#tests/support/secret_digests'
import { isAnswered, type LimitRow } from './limits.ts'

/* The limits on client secrets that are hashes of another product. */

export const SECRET_LIMITS = {
  hashedSecrets: {
    lowered: 2,
    isAllowed: (count, client) => {
      const address = someAddress()
      return isAnswered(count, async () => {
        const { client: registered } = await hashedClient(digestOf('a secret'))
        const request = client.post('/oauth/introspect').header('x-forwarded-for', address)
        return request.basicAuth(registered.clientId, 'wrong').form({ token: 'x' })
      })
    },
  },
  secretQueue: {
    lowered: 2,
    isAllowed: async (count) => {
      const { promise: end, resolve } = Promise.withResolvers<boolean>()
      const computed = queueSecretHash(() => end)
      await nextTurn()
      const waiting = Array.from({ length: count }, () =>
        queueSecretHash(() => end).catch(() => false)
      )
      resolve(true)
      const areAllowed = await Promise.all([computed, ...waiting])
      return areAllowed.every(Boolean)
    },
  },
} satisfies Record<string, LimitRow>
