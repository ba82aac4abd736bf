import { generateKeyPairSync } from 'node:crypto'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import type { LimitRow } from './limits.ts'
import type { ApiClient } from '@japa/api-client'

/* How large the fields of a client may be. */

async function isRegistered(client: ApiClient, settings: object) {
  const { headers } = await signedIn(client, await createAdmin())
  const grafana = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }
  const request = client.post('/oauth-clients').headers(headers)
  const response = await request.json({ ...grafana, ...settings })
  return response.status() === 201
}

function withKeys(keys: object[]) {
  return { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys } }
}

function publicKey() {
  return generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
}

export const CLIENT_FIELD_LIMITS = {
  clientKeys: {
    isAllowed: (count, client) =>
      isRegistered(client, withKeys(Array.from({ length: count }, publicKey))),
  },
  clientKeyBytes: {
    isAllowed: (count, client) => {
      const key = { ...publicKey(), kid: '' }
      const kid = 'x'.repeat(count - JSON.stringify([key]).length)
      return isRegistered(client, withKeys([{ ...key, kid }]))
    },
  },
  refreshTokenDays: {
    isAllowed: (count, client) => isRegistered(client, { refreshTokenTtl: `${count}d` }),
  },
} satisfies Record<string, LimitRow>
