import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { bearer } from '#tests/support/fixtures'
import { PASSWORD } from '#tests/support/users'
import {
  ADMIN,
  APP_URL,
  BACKENDS,
  codeOf,
  errorOf,
  register,
  startTwo,
  useProxy,
} from './application.ts'
import { newcomer, signIn, type Backend } from './backend.ts'
import type { Product } from './product.ts'

type Registered = Awaited<ReturnType<typeof register>>

interface Scene {
  products: Product[]
  user: Awaited<ReturnType<typeof newcomer>>
  adminToken: string
  sessionId: string
}

/** What ends a session with an application, requested at one process. */
const ENDS: { what: string; end: (scene: Scene) => Promise<unknown> }[] = [
  {
    what: 'its owner ended it',
    end: ({ products, user, sessionId }) =>
      products[0].ask(`/auth/sessions/${sessionId}`, { method: 'DELETE', token: user.token }),
  },
  {
    what: 'an administrator ended it',
    end: (scene) => administer(scene, 'DELETE', `/sessions/${scene.sessionId}`),
  },
  { what: 'disabling', end: (scene) => administer(scene, 'PUT', '', { disabled: true }) },
  {
    what: 'another password',
    end: ({ products: [product], user: { token } }) => {
      const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` }
      return product.ask('/auth/change-password', { body, token })
    },
  },
  { what: 'deletion', end: (scene) => administer(scene, 'DELETE', '') },
]

/** Repeats a request after a 503, as a client does. A deletion may then answer 404: it was done. */
async function administer(
  { products, user, adminToken: token }: Scene,
  method: string,
  path: string,
  body?: object
) {
  const done = [200]
  for (let tries = 0; tries < 5; tries++) {
    const request = { method, token, body }
    const { status } = await products[0].ask(`/users/${user.id}${path}`, request)
    if (done.includes(status)) return
    if (status !== 503) throw new Error(`${method} ${path}: ${status}`)
    if (method === 'DELETE') done.push(404)
  }
  throw new Error(`${method} ${path} stays 503`)
}

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Two processes | OpenID provider on ${name}`, (group) => {
    let backend: Backend | null
    let products: Product[]
    let app: Registered
    let adminToken: string
    let restore: () => void

    group.setup(async () => {
      backend = await start()
      products = await startTwo(backend)
      let turn = 0
      restore = useProxy(() => products[turn++ % 2].url)
      const { token } = await signIn(products[0], ADMIN)
      adminToken = token
      app = await register(products[0], adminToken)
    })
    group.teardown(async () => {
      restore()
      for (const product of products) await product.remove()
      await backend?.remove()
    })

    test('each request may meet another process', async ({ assert }) => {
      const user = await newcomer(products[0])
      const { answer, checks } = await codeOf(app, user)
      const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
      for (let count = 0; count < 4; count++) {
        const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
        assert.equal(info.email, user.email)
      }
    })

    test('of twenty redemptions at once one succeeds', async ({ assert }) => {
      const { answer, checks } = await codeOf(app, await newcomer(products[0]))
      const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
      const results = await Promise.allSettled(Array.from({ length: 20 }, redeem))
      const granted = results.filter(({ status }) => status === 'fulfilled')
      assert.lengthOf(granted, 1)
    })

    /** Uses every token of a session on both processes in turn. */
    async function outcomes(tokens: oidc.TokenEndpointResponse, apiToken: string) {
      const given: string[] = []
      for (let count = 0; count < 2; count++) {
        const info = oidc.fetchUserInfo(app.config, tokens.access_token, oidc.skipSubjectCheck)
        given.push(await errorOf(info))
      }
      for (const product of products) {
        const profile = await product.ask('/auth/profile', { headers: bearer(apiToken) })
        given.push(String(profile.status))
      }
      for (let count = 0; count < 2; count++) {
        given.push(await errorOf(oidc.refreshTokenGrant(app.config, tokens.refresh_token!)))
      }
      return given
    }

    test('both refuse every token after {what}')
      .with(ENDS)
      .run(async ({ assert }, { end }) => {
        const user = await newcomer(products[0])
        const parameters = { scope: 'openid offline_access', prompt: 'consent', resource: APP_URL }
        const { answer, checks } = await codeOf(app, user, parameters)
        const granted = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
        const ofInfo = oidc.refreshTokenGrant(app.config, granted.refresh_token!)
        const { access_token: apiToken } = await ofInfo
        const sessionId = granted.claims()!.sid as string
        await end({ products, user, adminToken, sessionId })
        const refused = ['invalid_token', 'invalid_token', '401', '401']
        assert.deepEqual(await outcomes(granted, apiToken), [
          ...refused,
          'invalid_grant',
          'invalid_grant',
        ])
      })
  })
}
