import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/users'
import { Backend, newcomer, signIn } from './backend.ts'
import { Product } from './product.ts'

/** Gives the server a self-signed certificate for 127.0.0.1, and switches TLS on. */
async function enableTls({ postgres }: Backend) {
  const data = join(postgres.folder, 'data')
  const [key, certificate] = [join(data, 'server.key'), join(data, 'server.crt')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=db']
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate]
  execFileSync('openssl', [...request, ...names], { stdio: 'pipe' })
  const { uid, gid } = statSync(postgres.folder)
  for (const file of [key, certificate]) chownSync(file, uid, gid)
  chmodSync(key, 0o600)
  await postgres.query('ALTER SYSTEM SET ssl = on')
  await postgres.query('SELECT pg_reload_conf()')
  return certificate
}

test.group('Postgres | TLS', () => {
  test('checks the certificate that the address names', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    const certificate = await enableTls(backend)
    const url = `${backend.settings.DATABASE_URL}?sslmode=verify-full&sslrootcert=${certificate}`
    const product = await Product.start({ ...backend.settings, DATABASE_URL: url })
    try {
      await newcomer(product)
      const connections = await backend.query(
        `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE application_name = 'gatehouse'`
      )
      assert.isNotEmpty(connections)
      assert.isTrue(connections.every(({ ssl }) => ssl))
    } finally {
      await product.remove()
      await backend.remove()
    }
  })

  test('refuses a server that it does not know', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    await enableTls(backend)
    const url = `${backend.settings.DATABASE_URL}?sslmode=verify-full`
    const product = await Product.spawn({ ...backend.settings, DATABASE_URL: url })
    try {
      assert.notEqual(await product.exits(), 0)
      assert.match(product.output.join(''), /certificate/i)
    } finally {
      await product.remove()
      await backend.remove()
    }
  })
})

test.group('Postgres | replica', () => {
  test('answers lists and nothing else', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    const admin = { email: someEmail(), password: PASSWORD }
    const settings = {
      ...backend.settings,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    }
    const first = await Product.start(settings)
    await first.stop()
    await backend.postgres.query('CREATE DATABASE lagging TEMPLATE gatehouse')
    const { host } = new URL(backend.postgres.url('lagging'))
    const address = `${backend.postgres.url('gatehouse')}?replica=${host}/lagging`
    const product = await Product.start({ ...settings, DATABASE_URL: address })
    try {
      const user = await newcomer(product)
      const { token } = await signIn(product, admin)
      const list = await product.request('/users?limit=100', { token })
      const record = await product.request(`/users/${user.id}`, { token })
      assert.deepEqual([list.status, record.status], [200, 200])
      const emails = list.body.data.map(({ email }: { email: string }) => email)
      assert.deepEqual(emails, [admin.email])
    } finally {
      await first.remove()
      await product.remove()
      await backend.remove()
    }
  })
})
