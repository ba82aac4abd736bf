import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { Receiver } from '#tests/servers/receiver'
import { ace } from './ace.ts'
import { newcomer } from './backend.ts'
import { cleanEnvironment, Product } from './product.ts'

const root = join(import.meta.dirname, '../..')

const LOOPBACK = { OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8', REGISTER_IP_LIMIT: '0' }

test.group('Webhooks | receivers', (group) => {
  let product: Product
  const children: ChildProcess[] = []
  async function run(...args: string[]) {
    const ended = await ace(product.dataDir, [...args, '--json'], { settings: LOOPBACK })
    if (ended.code !== 0) throw new Error(`${args[0]}: ${ended.stderr}`)
    return ended.json()
  }
  group.setup(async () => {
    product = await Product.start({ LOGIN_THROTTLE_LIMIT: '0', ...LOOPBACK })
  })
  group.each.teardown(() => {
    for (const child of children.splice(0)) child.kill()
  })
  group.teardown(() => product.remove())

  /** @returns the secret of a webhook for all events */
  async function register(url: string) {
    const { secret } = await run('webhook:create', url, '--events=*')
    return secret as string
  }

  /** Resolves when the program says that it is listening. */
  async function start(program: string, args: string[], options: { cwd: string; env: object }) {
    const env = { ...cleanEnvironment(), ...options.env }
    const child = spawn(program, args, { cwd: options.cwd, env })
    children.push(child)
    await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data')])
  }

  test('standardwebhooks and svix verify each delivery', async ({ assert, cleanup }) => {
    const receiver = await new Receiver().start()
    cleanup(() => receiver.stop())
    const secret = await register(receiver.url)
    const { id } = await newcomer(product)
    await until(() => receiver.types.includes('session.started'))
    const [made] = receiver.requests.filter(({ body }) => body.includes('user.created'))
    for (const { body, headers } of receiver.requests) {
      for (const verifier of [new Standard(secret), new Svix(secret)]) {
        assert.deepEqual(verifier.verify(body, headers as Record<string, string>), JSON.parse(body))
      }
    }
    assert.equal(JSON.parse(made.body).data.user.id, id)
  })

  test('the example forgets a session when it ends', async ({ assert }) => {
    const port = await freePort()
    const user = await newcomer(product)
    await run('user:create', '--service', '--username=orders')
    const scopes = '--scopes=tokens:introspect'
    const { key: API_KEY } = await run('key:create', 'orders', '--name=orders', scopes)
    const WEBHOOK_SECRET = await register(`http://127.0.0.1:${port}/gatehouse`)
    const env = { ISSUER: product.url, PORT: String(port), API_KEY, WEBHOOK_SECRET }
    await start(process.execPath, ['server.js'], { cwd: join(root, 'examples/webhooks'), env })
    const headers = { authorization: `Bearer ${user.token}` }
    const orders = () => fetch(`http://127.0.0.1:${port}/orders`, { headers })
    const first = await orders()
    assert.containSubset(await first.json(), { for: user.id, isRemembered: false })
    await until(async () => {
      const answer = await orders()
      const { isRemembered } = (await answer.json()) as { isRemembered: boolean }
      return isRemembered
    })
    await product.ask('/auth/logout', { method: 'POST', token: user.token })
    await until(async () => {
      const { status } = await orders()
      return status === 401
    })
  }).timeout(90_000)

  test('Debian’s webhook checks the signature', async ({ assert, cleanup }) => {
    const program = findOrInstall('webhook', 'webhook')
    const folder = temporaryFolder('webhook')
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const source = join(root, 'examples/webhooks/debian')
    const hooks = readFileSync(join(source, 'hooks.json'), 'utf8')
    writeFileSync(join(folder, 'hooks.json'), hooks.replaceAll('/var/lib/webhook', folder))
    copyFileSync(join(source, 'received.sh'), join(folder, 'received.sh'))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks/gatehouse`
    const WEBHOOK_SECRET = await register(url)
    const args = ['-hooks', 'hooks.json', '-ip', '127.0.0.1', '-port', String(port), '-verbose']
    await start(program, args, { cwd: folder, env: { WEBHOOK_SECRET } })
    const { id } = await newcomer(product)
    const lines = await until(() => {
      const text = readEvents(folder)
      return text.includes(id) ? text : null
    })
    assert.include(lines, '"type":"user.created"')
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' }
    const forged = await fetch(url, { method: 'POST', headers, body: '{}' })
    assert.equal(forged.status, 500)
  }).timeout(120_000)
})

function readEvents(folder: string) {
  try {
    return readFileSync(join(folder, 'events.ndjson'), 'utf8')
  } catch {
    return ''
  }
}
