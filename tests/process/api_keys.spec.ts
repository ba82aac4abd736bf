import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from '@japa/runner'
import { PASSWORD } from '#tests/support/users'
import { Backend, newcomer, signIn } from './backend.ts'
import { cleanEnvironment, newDataDir, Product } from './product.ts'

test.group('Two processes | API keys', (group) => {
  let backend: Backend
  let products: Product[]
  let admin: Awaited<ReturnType<typeof newcomer>>

  group.setup(async () => {
    backend = await Backend.withRedis()
    products = await Promise.all([1, 2].map(() => Product.spawn(backend.settings)))
    await Promise.all(products.map((product) => product.answers('/health/ready')))
    const user = await newcomer(products[0])
    await backend.query(`UPDATE users SET role = 'Admin' WHERE id = '${user.id}'`)
    admin = { ...user, ...(await signIn(products[0], user)) }
  })
  group.teardown(async () => {
    for (const product of products) await product.remove()
    await backend.remove()
  })

  async function asAdmin(method: string, path: string, body?: object) {
    const request = { method, body, token: admin.token }
    const { status, body: answer } = await products[0].ask(path, request)
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  /** Makes a key of a new user, whose role is changed if the test needs it. */
  async function keyOf(scope: string, role = 'User') {
    const owner = await newcomer(products[0])
    if (role !== 'User') await asAdmin('PUT', `/users/${owner.id}`, { role })
    const body = { name: 'Report', scopes: [scope] }
    const { id, key } = await asAdmin('POST', `/users/${owner.id}/api-keys`, body)
    return { owner, id, key }
  }

  async function statusOf(key: string, path = '/auth/profile') {
    const { status } = await products[1].ask(path, { token: key })
    return status
  }

  const ENDS = [
    {
      what: 'a revocation',
      end: ({ owner, id }: Key) => asAdmin('DELETE', `/users/${owner.id}/api-keys/${id}`),
    },
    {
      what: 'disabling',
      end: ({ owner }: Key) => asAdmin('PUT', `/users/${owner.id}`, { disabled: true }),
    },
    { what: 'deletion', end: ({ owner }: Key) => asAdmin('DELETE', `/users/${owner.id}`) },
    {
      what: 'the owner’s own revocation',
      end: ({ owner, id }: Key) =>
        products[0].ask(`/auth/api-keys/${id}`, {
          method: 'DELETE',
          token: owner.token,
          body: { currentPassword: PASSWORD },
        }),
    },
    {
      what: 'its time',
      end: ({ id }: Key) =>
        backend.query(`UPDATE api_keys SET expires_at = ${Date.now()} WHERE id = '${id}'`),
    },
  ]

  test('refuse a key at once after {what}')
    .with(ENDS)
    .run(async ({ assert }, { end }) => {
      const key = await keyOf('profile:read')
      assert.equal(await statusOf(key.key), 200)
      await end(key)
      assert.equal(await statusOf(key.key), 401)
    })

  test('refuse a key at once after a demotion', async ({ assert }) => {
    const { owner, key } = await keyOf('users:read', 'Admin')
    assert.equal(await statusOf(key, '/users'), 200)
    await asAdmin('PUT', `/users/${owner.id}`, { role: 'User' })
    assert.equal(await statusOf(key, '/users'), 401)
  })

  test('keep to it after Redis lost everything', async ({ assert }) => {
    const [revoked, kept] = [await keyOf('profile:read'), await keyOf('profile:read')]
    await asAdmin('DELETE', `/users/${revoked.owner.id}/api-keys/${revoked.id}`)
    await backend.redis!.command('FLUSHALL')
    assert.equal(await statusOf(revoked.key), 401)
    assert.equal(await statusOf(kept.key), 200)
    admin = { ...admin, ...(await signIn(products[0], admin)) }
  })

  test('mail a reminder once between them', async ({ assert }) => {
    const { owner, id } = await keyOf('profile:read')
    await backend.query(`UPDATE users SET email_verified_at = 1 WHERE id = '${owner.id}'`)
    await backend.query(`UPDATE api_keys SET remind_at = 1 WHERE id = '${id}'`)
    await Promise.all([1, 2, 3].map(() => prune(backend.settings)))
    const mails = await backend.query(
      `SELECT id FROM mails WHERE kind = 'api_key_expiring' AND user_id = '${owner.id}'`
    )
    assert.lengthOf(mails, 1)
  })
})

interface Key {
  owner: { id: string; token: string }
  id: string
  key: string
}

/** Runs what a server does every ten minutes, in a process of its own. */
function prune(settings: Record<string, string>) {
  const env = { ...cleanEnvironment(), DATA_DIR: newDataDir(), LOG_LEVEL: 'error', ...settings }
  const child = spawn(process.execPath, ['bin/launch.js', 'ace', 'store:prune'], { env })
  return once(child, 'exit')
}
