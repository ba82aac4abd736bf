import { createServer } from 'node:http'
import { once } from 'node:events'
import { cookieName } from '#config/cookies'
import { boundedFetch } from '#auth/external/bounded_fetch'
import { dropLongHeaders } from '#http/long_headers'
import { claimedGroupsOf } from '#auth/external/claimed_groups'
import { createUser, PASSWORD, someAddress } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { TestBrowser } from '../external/browser.ts'
import { isEachAllowed, type LimitRow } from './limits.ts'
import type { IncomingMessage } from 'node:http'
import type { ApiClient } from '@japa/api-client'

/* The largest size of a text that anybody can send: it is stored, compared, parsed or hashed. */

/** Returns whether an external provider's response of this many bytes is read completely. */
async function isProviderRead(bytes: number) {
  const server = createServer((_, response) => response.end('x'.repeat(bytes)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const read = boundedFetch()(`http://127.0.0.1:${port}`, {})
  const isRead = await read.then(
    () => true,
    () => false
  )
  server.closeAllConnections()
  server.close()
  return isRead
}

function isKept(name: string, value: string) {
  const headers = { [name]: value }
  dropLongHeaders({ headers } as unknown as IncomingMessage)
  return name in headers
}

async function signIn(client: ApiClient, headers: Record<string, string>) {
  const user = await createUser()
  const attempt = { email: user.email, password: PASSWORD }
  const request = client.post('/auth/login').header('x-forwarded-for', someAddress())
  const response = await request.headers(headers).json(attempt)
  return { user, response }
}

export const SIZE_LIMITS = {
  userAgent: {
    isAllowed: async (count, client) => {
      const { user } = await signIn(client, { 'user-agent': 'x'.repeat(count) })
      const [event] = await recordsWhere({ target_id: user.id, action: 'login.succeeded' })
      return event.userAgent?.length === count
    },
  },
  deviceId: {
    isAllowed: async (count, client) => {
      const { response } = await signIn(client, { 'x-device-id': 'x'.repeat(count) })
      return response.status() === 200
    },
  },
  comparedHeader: {
    isAllowed: async (count, client) => {
      const accept = 'application/problem+json;a='.padEnd(count, 'x')
      const isRead = async () => {
        const answer = await client.get('/nothing').header('accept', accept)
        return answer.header('content-type')?.includes('problem+json') ?? false
      }
      const forwarded = ['x-forwarded-host', 'x-forwarded-proto'].map((name) => {
        return [name, async () => isKept(name, 'x'.repeat(count))]
      })
      return isEachAllowed({ accept: isRead, ...Object.fromEntries(forwarded) })
    },
  },
  passkeyResponse: {
    isAllowed: async (count, client) => {
      const response = { id: 'x'.repeat(count - JSON.stringify({ id: '' }).length) }
      const byApi = async () => {
        const request = client.post('/auth/passkeys/login').header('x-forwarded-for', someAddress())
        const answer = await request.json({ response })
        return answer.status() !== 413
      }
      const byPage = async () => {
        const fields = { response: JSON.stringify(response) }
        const answer = await new TestBrowser().submit('/sign-in', fields, '/sign-in/passkey')
        return answer.status !== 413
      }
      return isEachAllowed({ byApi, byPage })
    },
  },
  providerResponse: { isAllowed: isProviderRead },
  /** The cookie of a pending login is kept when another login starts. */
  pendingLoginBytes: {
    isAllowed: async (count) => {
      const name = cookieName('external_abcdefghijkl')
      const browser = new TestBrowser()
      browser.setCookie(name, 'x'.repeat(count - name.length))
      const response = await browser.request('/auth/external/github')
      return response.headers.getSetCookie().every((cookie) => !cookie.startsWith(name))
    },
  },
  claimedGroups: {
    isAllowed: async (count) => {
      const names = Array.from({ length: count }, (_, at) => `group ${at}`)
      return claimedGroupsOf(names)?.length === count
    },
  },
} satisfies Record<string, LimitRow>
