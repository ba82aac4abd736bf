import oidc from '#config/oidc'
import { createAdmin, createUser, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import type { LimitRow } from './limits.ts'
import type { ApiClient, ApiRequest, ApiResponse } from '@japa/api-client'

/* The longest texts that the API takes. */

/** Returns whether no field was too long. Other faults of the fields do not count. */
function isShortEnough(response: ApiResponse) {
  const errors: { rule: string }[] = response.body().errors ?? []
  return !errors.some(({ rule }) => /maxLength$|^email$/.test(rule))
}

/** Sends a text of this many characters in a request that anybody can send. */
function fromAnybody(send: (client: ApiClient, text: string) => ApiRequest) {
  return async (count: number, client: ApiClient) => {
    const request = send(client, 'x'.repeat(count)).header('x-forwarded-for', someAddress())
    return isShortEnough(await request)
  }
}

type Send = (client: ApiClient, text: string, headers: Record<string, string>) => ApiRequest

function fromUser(send: Send, user = () => createUser()) {
  return async (count: number, client: ApiClient) => {
    const { headers } = await signedIn(client, await user())
    return isShortEnough(await send(client, 'x'.repeat(count), headers))
  }
}

const fromAdmin = (send: Send) => fromUser(send, () => createAdmin())

/** Returns an address of this length: the longest local part, and as many labels as needed. */
function emailOf(length: number) {
  const label = `${'d'.repeat(49)}.`
  const domain = label.repeat(5).slice(0, length - 65 - 'end.example'.length)
  return `${someEmail().slice(0, 8).padEnd(64, 'x')}@${domain}end.example`
}

const CLIENT = { name: 'Wiki', redirectUris: ['https://wiki.example/callback'] }
const page = (number: number) => `https://wiki.example/${number}`

/** Returns whether a client with these addresses is registered. */
async function isRegistered(client: ApiClient, redirectUris: string[]) {
  const { headers } = await signedIn(client, await createAdmin())
  const request = client.post('/oauth-clients').headers(headers)
  const response = await request.json({ ...CLIENT, redirectUris })
  return response.status() === 201
}

async function isMetadataKept(client: ApiClient, metadata: object) {
  const { headers } = await signedIn(client, await createUser())
  const response = await client.put('/auth/profile').headers(headers).json({ metadata })
  return response.status() === 200
}

export const TEXT_LIMITS = {
  email: {
    isAllowed: async (count, client) => {
      const request = client.post('/auth/forgot-password').header('x-forwarded-for', someAddress())
      return isShortEnough(await request.json({ email: emailOf(count) }))
    },
  },
  displayName: {
    isAllowed: fromUser((client, username, headers) =>
      client.put('/auth/profile').headers(headers).json({ username })
    ),
  },
  newPassword: {
    isAllowed: fromAnybody((client, password) =>
      client
        .post('/auth/reset-password')
        .json({ token: 'made up', password: `Aa1!${password.slice(4)}` })
    ),
  },
  givenPassword: {
    isAllowed: fromAnybody((client, password) =>
      client.post('/auth/login').json({ email: someEmail(), password })
    ),
  },
  oneTimeToken: {
    isAllowed: fromAnybody((client, token) => client.post('/auth/verify-email').json({ token })),
  },
  refreshToken: {
    isAllowed: fromAnybody((client, refreshToken) =>
      client.post('/auth/refresh').json({ refreshToken })
    ),
  },
  accessToken: {
    isAllowed: fromUser((client, token, headers) =>
      client.post('/auth/revoke').headers(headers).json({ token })
    ),
  },
  mfaCode: {
    isAllowed: fromAnybody((client, code) =>
      client.post('/auth/mfa/verify').json({ mfaToken: 'made up', code })
    ),
  },
  mfaSecret: {
    isAllowed: fromUser((client, secret, headers) =>
      client.post('/auth/mfa/enable').headers(headers).json({ code: '123456', secret })
    ),
  },
  search: {
    isAllowed: fromAdmin((client, search, headers) =>
      client.get('/users').headers(headers).qs({ search })
    ),
  },
  cursor: {
    isAllowed: fromAdmin((client, cursor, headers) =>
      client
        .get('/users')
        .headers({ ...headers, 'x-api-version': '2' })
        .qs({ cursor })
    ),
  },
  reason: {
    isAllowed: async (count, client) => {
      const { id } = await createUser()
      const disable = fromAdmin((_, disabledReason, headers) =>
        client.put(`/users/${id}`).headers(headers).json({ disabled: true, disabledReason })
      )
      return disable(count, client)
    },
  },
  metadataBytes: {
    isAllowed: (count, client) =>
      isMetadataKept(client, { a: 'x'.repeat(count - JSON.stringify({ a: '' }).length) }),
  },
  metadataDepth: {
    isAllowed: (count, client) => {
      const nested = Array.from({ length: count }).reduce<object>((inner) => ({ a: inner }), {})
      return isMetadataKept(client, (nested as { a: object }).a)
    },
  },
  webfingerText: {
    isAllowed: fromAnybody((client, text) => {
      oidc.webfingerDomains = ['example.org']
      const resource = `acct:${text.slice('acct:@example.org'.length)}@example.org`
      return client.get('/.well-known/webfinger').qs({ resource })
    }),
  },
  webfingerRelations: {
    isAllowed: async (count, client) => {
      oidc.webfingerDomains = ['example.org']
      const query = `resource=acct:ada@example.org${'&rel=x'.repeat(count)}`
      const response = await client.get(`/.well-known/webfinger?${query}`)
      return response.status() === 200
    },
  },
  clientUris: {
    isAllowed: (count, client) =>
      isRegistered(
        client,
        Array.from({ length: count }, (_, number) => page(number))
      ),
  },
  clientUri: {
    isAllowed: (count, client) => isRegistered(client, [page(1).padEnd(count, 'x')]),
  },
} satisfies Record<string, LimitRow>
