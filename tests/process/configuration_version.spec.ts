import { test } from '@japa/runner'
import { decodeHeader } from '#tests/support/fixtures'
import { REDIRECT } from '#tests/support/oidc'
import { ace } from './ace.ts'
import { ADMIN, BACKENDS, WITH_ADMIN } from './application.ts'
import { profileStatus, signIn, type Backend } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'

/* What a process remembers of clients and keys: a change at another affects the next request. */

const SETTINGS = { ...WITH_ADMIN, ACCESS_TOKEN_ALGORITHM: 'ES256' }

const OTHER = 'https://other.example.org/callback'

interface Scene {
  first: Product
  second: Product
  settings: Record<string, string>
  token: string
}

interface Registered {
  id: string
  clientId: string
  clientSecret: string
}

async function registered({ first, token }: Scene): Promise<Registered> {
  const body = { name: 'Grafana', kind: 'first_party', redirectUris: [REDIRECT, OTHER] }
  const { status, body: made } = await first.ask('/oauth-clients', { body, token })
  if (status !== 201) throw new Error(JSON.stringify(made))
  return made
}

/** Introspects a token at the second process in the name of the client. */
async function introspectStatus({ second }: Scene, { clientId, clientSecret }: Registered) {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const response = await fetch(`${second.url}/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token: 'unknown' }),
  })
  await response.text()
  return response.status
}

async function authorizeStatus({ second }: Scene, { clientId }: Registered, redirectUri = OTHER) {
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code' }
  const url = `${second.url}/oauth/authorize?${new URLSearchParams({ ...query, scope: 'openid' })}`
  const response = await fetch(url, { redirect: 'manual' })
  await response.text()
  return response.status < 400
}

type Change = (scene: Scene) => Promise<{
  /** Makes the change at the first process. */
  change: () => Promise<unknown>
  /** Asks the second process, before the change and after it. */
  ask: () => Promise<unknown>
  seen: [before: unknown, after: unknown]
}>

const CHANGES: Record<string, Change> = {
  'a client that is deleted': async (scene) => {
    const { first, token } = scene
    const client = await registered(scene)
    const path = `/oauth-clients/${client.id}`
    return {
      change: () => first.ask(path, { method: 'DELETE', token }),
      ask: () => introspectStatus(scene, client),
      seen: [200, 401],
    }
  },
  'a secret that is rotated twice': async (scene) => {
    const { first, token } = scene
    const client = await registered(scene)
    const rotate = () => {
      return first.ask(`/oauth-clients/${client.id}/rotate-secret`, { method: 'POST', token })
    }
    return {
      change: async () => [await rotate(), await rotate()],
      ask: () => introspectStatus(scene, client),
      seen: [200, 401],
    }
  },
  'a redirect address that is removed': async (scene) => {
    const { first, token } = scene
    const client = await registered(scene)
    const request = { method: 'PUT', body: { redirectUris: [REDIRECT] }, token }
    return {
      change: () => first.ask(`/oauth-clients/${client.id}`, request),
      ask: () => authorizeStatus(scene, client),
      seen: [true, false],
    }
  },
  'a key that is revoked': async ({ first, second, settings, token }) => {
    const { kid } = decodeHeader(token)
    return {
      change: () => ace(first.dataDir, ['keys:revoke', kid, '--yes'], { settings }),
      ask: () => profileStatus(second, token),
      seen: [200, 401],
    }
  },
}

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Configuration version | ${name}, two processes`, (group) => {
    let backend: Backend | null
    let scene: Scene

    group.setup(async () => {
      backend = await start()
      const settings = { ...backend?.settings, ...SETTINGS }
      const dataDir = newDataDirFor(settings)
      const first = await Product.start(settings, dataDir)
      const second = await Product.start(settings, dataDir)
      scene = { first, second, settings, token: '' }
    })
    group.teardown(async () => {
      await Promise.all([scene.first.remove(), scene.second.remove()])
      await backend?.remove()
    })
    group.each.setup(async () => {
      const { token } = await signIn(scene.first, ADMIN)
      scene.token = token
    })

    test('a client that is registered is known at once', async ({ assert }) => {
      const unknown = { id: '', clientId: 'grafana', clientSecret: 'x'.repeat(43) }
      const before = await introspectStatus(scene, unknown)
      const client = await registered(scene)
      assert.deepEqual([before, await introspectStatus(scene, client)], [401, 200])
    })

    test('{$self} counts at the next request')
      .with(Object.keys(CHANGES))
      .run(async ({ assert }, what) => {
        const { change, ask, seen } = await CHANGES[what](scene)
        const before = await ask()
        await change()
        assert.deepEqual([before, await ask()], seen)
      })
  })
}
