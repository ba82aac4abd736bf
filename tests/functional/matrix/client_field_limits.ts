import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import db from '@adonisjs/lucid/services/db'
import { insertMissingGroups } from '#groups/group_rows'
import { readClaims } from '#auth/claims/read_claims'
import { createClient, updateClient } from '#oidc/clients/clients'
import { createAdmin, keyOf, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { isAnswered, isEachAllowed, type LimitRow } from './limits.ts'
import { smallPicture } from './sensitive_changes.ts'
import type { OAuthClient } from '#oidc/clients/client'
import type { ApiClient, ApiRequest } from '@japa/api-client'

/* The limits on the fields of a client. */

const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

async function isRegistered(client: ApiClient, settings: object) {
  const { headers } = await signedIn(client, await createAdmin())
  const request = client.post('/oauth-clients').headers(headers)
  const response = await request.json({ ...GRAFANA, ...settings })
  return response.status() === 201
}

function withKeys(keys: object[]) {
  return { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys } }
}

function publicKey() {
  return generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
}

/** Returns whether a token contains a claim with this value. */
function isIssued(value: unknown, maxBytes = limits.claimBytes) {
  const who = { id: '', email: null, username: '', nickname: null, role: 'User', groups: [] }
  const { claims } = readClaims(
    { it: 'appMetadata.it' },
    { ...who, appMetadata: { it: value } },
    maxBytes
  )
  return 'it' in claims
}

/** Returns a claim whose JSON has this many bytes. */
function listOf(bytes: number, length: number) {
  const texts = Array.from({ length }, () => 'x'.repeat(200))
  const rest = bytes - JSON.stringify({ it: [...texts, ''] }).length
  const more = Array.from({ length: 4 }, (_, at) => 'x'.repeat(Math.floor((rest - 9 + at) / 4)))
  return [...texts, ...more]
}

/** Returns whether a client with this many bytes in both lists together is registered. */
function addressesOf(bytes: number) {
  const uris = Array.from({ length: 9 }, (_, at) =>
    `https://grafana.example.org/${at}`.padEnd(at < 8 ? 1_900 : bytes - 8 * 1_900, 'x')
  )
  return { redirectUris: uris.slice(0, 5), postLogoutRedirectUris: uris.slice(5) }
}

type ClientChange = (client: ApiClient, path: string) => ApiRequest

const picture = await smallPicture()

const CHANGES: Record<string, ClientChange> = {
  'a registration': (client) => client.post('/oauth-clients').json(GRAFANA),
  'a new name': (client, path) => client.put(path).json({ name: 'Wiki' }),
  'another secret': (client, path) => client.post(`${path}/rotate-secret`).json({}),
  'a logo': (client, path) =>
    client.put(`${path}/logo`).file('file', picture, { filename: 'a.png' }),
  'no logo': (client, path) => client.delete(`${path}/logo`),
  'a deletion': (client, path) => client.delete(path),
}

export const CLIENT_FIELD_LIMITS = {
  /** A redirect address in which the last characters before the limit are a word. */
  clientSearchedText: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const word = randomUUID()
      const start = '["https://grafana.example.org/'
      const redirectUris = [`${start}${word.padStart(count - start.length, 'x')}`.slice(2)]
      await createClient({ ...GRAFANA, redirectUris }, SYSTEM)
      const response = await client.get('/oauth-clients').headers(headers).qs({ search: word })
      return response.body().length === 1
    },
  },
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
  clientKeyDepth: {
    isAllowed: (count, client) => {
      const member = JSON.parse(`${'['.repeat(count - 1)}${']'.repeat(count - 1)}`)
      return isRegistered(client, withKeys([{ ...publicKey(), member }]))
    },
  },
  publicExponent: {
    isAllowed: (count, client) => {
      const { n } = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({
        format: 'jwk',
      })
      const bytes = Buffer.from(
        (2n ** BigInt(count - 1) + 1n).toString(16).padStart(10, '0'),
        'hex'
      )
      return isRegistered(client, withKeys([{ kty: 'RSA', n, e: bytes.toString('base64url') }]))
    },
  },
  clientClaims: {
    isAllowed: (count, client) => {
      const names = Array.from({ length: count }, (_, number) => [`c${number}`, '=x'])
      return isRegistered(client, { claims: Object.fromEntries(names) })
    },
  },
  clientClaimBytes: {
    isAllowed: (count, client) => {
      const long = '='.padEnd(900, 'x')
      const claims = { a: long, b: long, c: long, d: long, e: '=' }
      const missing = count - JSON.stringify(claims).length
      return isRegistered(client, { claims: { ...claims, e: '='.padEnd(1 + missing, 'x') } })
    },
  },
  claimSource: {
    isAllowed: (count, client) =>
      isRegistered(client, { claims: { long: `=${'x'.repeat(count - 1)}` } }),
  },
  claimText: { isAllowed: async (count) => isIssued('x'.repeat(count)) },
  claimList: { isAllowed: async (count) => isIssued(Array.from({ length: count }, () => 1)) },
  claimBytes: { isAllowed: async (count) => isIssued(listOf(count, 16)) },
  cookieClaimBytes: {
    isAllowed: async (count) => isIssued(listOf(count, 6), limits.cookieClaimBytes),
  },
  allowedGroups: {
    isAllowed: async (count, client) => {
      const tag = randomUUID()
      const names = Array.from({ length: count }, (_, number) => `${tag}-${number}`)
      await db.transaction((trx) => insertMissingGroups(names, trx))
      return isRegistered(client, { allowedGroups: names })
    },
  },
  refreshTokenDays: {
    isAllowed: (count, client) => isRegistered(client, { refreshTokenTtl: `${count}d` }),
  },
  clientPage: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const response = await client.get('/oauth-clients').headers(headers).qs({ limit: count })
      return response.status() === 200
    },
  },
  clientList: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const clientId = `listed-${randomUUID()}`
      for (let number = 0; number < count; number++)
        await createClient({ ...GRAFANA, clientId: `${clientId}-${number}` }, SYSTEM)
      const request = client.get('/oauth-clients').headers(headers)
      const response = await request.qs({ search: clientId })
      return response.body().length === count
    },
  },
  /** The registrations and the changes of a key are counted together. */
  clientChanges: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const admin = await createAdmin()
      const lastBy = async (change: ClientChange) => {
        const { headers } = await keyOf(admin, ['clients:write'])
        const made = await createClient(GRAFANA, SYSTEM)
        const path = `/oauth-clients/${made.client.id}`
        const send = (by: ClientChange) => by(client, path).headers(headers)
        return isAnswered(count, (number) => send(number < count ? CHANGES['a new name'] : change))
      }
      const ways = Object.entries(CHANGES).map(([name, change]) => [name, () => lastBy(change)])
      return isEachAllowed(Object.fromEntries(ways))
    },
  },
  clientAddressBytes: {
    lowered: 16_384,
    isAllowed: (count, client) => isRegistered(client, addressesOf(count)),
  },
  /** The bytes include quotes and brackets. */
  auditedClientValue: {
    isAllowed: (count) => {
      const redirectUris = [GRAFANA.redirectUris[0].padEnd(count - '[""]'.length, 'x')]
      const isWhole = async (action: string, { clientId }: OAuthClient) => {
        const events = await recordsWhere({ action })
        const own = events.findLast(({ details }) => details.clientId === clientId)!
        return isDeepStrictEqual(Object(own.details.redirectUris).after, redirectUris)
      }
      return isEachAllowed({
        created: async () => {
          const { client } = await createClient({ ...GRAFANA, redirectUris }, SYSTEM)
          return isWhole('client.created', client)
        },
        updated: async () => {
          const { client } = await createClient(GRAFANA, SYSTEM)
          await updateClient(client.id, { redirectUris }, SYSTEM)
          return isWhole('client.updated', client)
        },
      })
    },
  },
  clientListBytes: {
    lowered: 20_000,
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const tag = `bytes-${randomUUID()}`
      for (const number of [1, 2]) {
        await createClient({ ...GRAFANA, clientId: `${tag}-${number}` }, SYSTEM)
      }
      const rows = () => db.from('oauth_clients').whereLike('client_id', `${tag}%`)
      const used = await rows()
      const missing = count - used.map((row) => Object.values(row).join('')).join('').length
      const long = [GRAFANA.redirectUris[0].padEnd(GRAFANA.redirectUris[0].length + missing, 'x')]
      await rows()
        .where('client_id', `${tag}-2`)
        .update({ redirect_uris: JSON.stringify(long) })
      const response = await client.get('/oauth-clients').headers(headers).qs({ search: tag })
      return response.body().length === 2 && !response.header('link')
    },
  },
  delegatedClients: {
    isAllowed: async (count, client) => {
      const { headers } = await keyOf(await createAdmin(), ['clients:write'])
      const [{ total }] = await db.from('oauth_clients').count('* as total')
      const { delegatedClients: most } = limits
      limits.delegatedClients = Number(total) + most - count + 1
      const response = await client.post('/oauth-clients').headers(headers).json(GRAFANA)
      limits.delegatedClients = most
      return response.status() === 201
    },
  },
  clientLogoBytes: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const made = await createClient(GRAFANA, SYSTEM)
      const request = client.put(`/oauth-clients/${made.client.id}/logo`).headers(headers)
      const response = await request.file('file', Buffer.alloc(count), { filename: 'a.png' })
      return response.status() !== 413
    },
  },
} satisfies Record<string, LimitRow>
