import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { ADMIN, BACKENDS, codeOf, errorOf, register, startTwo, useProxy } from './application.ts'
import { newcomer, signIn, type Backend } from './backend.ts'
import type { Product } from './product.ts'

/* At one process, a member leaves the group of an application, while another process refreshes. */

const USERS = 6
const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' }

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Two processes | removal of a member on ${name}`, (group) => {
    let backend: Backend | null
    let products: Product[]
    let token: string
    let restore: () => void

    group.setup(async () => {
      backend = await start()
      products = await startTwo(backend)
      restore = useProxy(() => products[0].url)
      const admin = await signIn(products[0], ADMIN)
      token = admin.token
    })
    group.teardown(async () => {
      restore()
      for (const product of products) await product.remove()
      await backend?.remove()
    })

    async function restrictedApplication() {
      const body = { name: `Staff ${randomUUID()}` }
      const made = await products[0].ask('/groups', { body, token })
      const access = { access: 'groups', allowedGroups: [body.name] }
      const app = await register(products[0], token, access)
      return { app, members: `/groups/${made.body.id}/members` }
    }

    test('no token outlives it', async ({ assert }) => {
      const { app, members } = await restrictedApplication()
      for (let count = 0; count < USERS; count++) {
        const user = await newcomer(products[0])
        const path = `${members}/${user.id}`
        await products[0].ask(path, { method: 'PUT', token })
        const { answer, checks } = await codeOf(app, user, OFFLINE)
        const first = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
        const refresh = (by: string) => oidc.refreshTokenGrant(app.config, by)
        const [removal, refreshed] = await Promise.all([
          products[1].ask(path, { method: 'DELETE', token }),
          refresh(first.refresh_token!).catch(() => null),
        ])
        assert.equal(removal.status, 204)
        for (const held of [first, ...(refreshed ? [refreshed] : [])]) {
          const asked = oidc.fetchUserInfo(app.config, held.access_token, user.id)
          assert.equal(await errorOf(asked), 'invalid_token')
          assert.equal(await errorOf(refresh(held.refresh_token!)), 'invalid_grant')
        }
      }
    })
  })
}
