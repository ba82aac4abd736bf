import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/users'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { SmtpServer } from '#tests/servers/smtp'
import { ace } from './ace.ts'
import { ADMIN, BACKENDS, WITH_ADMIN } from './application.ts'
import { signIn, type Backend } from './backend.ts'
import { askAgain, newDataDirFor, Product } from './product.ts'

/* A setting that is changed at one process applies to the next request of another process. */

interface Scene {
  first: Product
  second: Product
  settings: Record<string, string>
  token: string
}

async function patch({ first, token }: Scene, body: object) {
  const headers = { 'if-match': '*' }
  const { status, body: answer } = await first.ask('/settings', {
    method: 'PATCH',
    body,
    token,
    headers,
  })
  if (status !== 200) throw new Error(JSON.stringify(answer))
}

async function pageOf({ second }: Scene, path: string) {
  const response = await askAgain(() => fetch(second.url + path))
  return response.text()
}

async function register({ second }: Scene) {
  const body = { email: someEmail(), username: 'Ada', password: PASSWORD }
  const { status } = await second.ask('/auth/register', { body })
  return { status, ...body }
}

async function styleOf(scene: Scene) {
  const [path] = /\/assets\/gatehouse\.[\w-]+\.css/.exec(await pageOf(scene, '/sign-in'))!
  return /--brand: (#\w+); }\n$/.exec(await pageOf(scene, path))![1]
}

interface Row {
  change: (scene: Scene) => Promise<unknown>
  ask: (scene: Scene) => Promise<unknown>
  seen: [before: unknown, after: unknown]
  /** For a change that other rows must not meet. */
  undo?: (scene: Scene) => Promise<unknown>
}

const byCommand = (...args: string[]) => {
  return ({ first, settings }: Scene) => ace(first.dataDir, args, { settings })
}

const ROWS: Record<string, Row> = {
  'the name of a page': {
    change: (scene) => patch(scene, { BRAND_NAME: 'Acme' }),
    ask: async (scene) => /<title>.* · (\w+)<\/title>/.exec(await pageOf(scene, '/sign-in'))![1],
    seen: ['Gatehouse', 'Acme'],
  },
  'the colour of the stylesheet': {
    change: (scene) => patch(scene, { BRAND_COLOR: '#a01f60' }),
    ask: styleOf,
    seen: ['#2f56cf', '#a01f60'],
  },
  'who may sign up': {
    change: (scene) => patch(scene, { SIGN_UP: 'invite' }),
    ask: async (scene) => {
      const { status } = await register(scene)
      return status
    },
    seen: [201, 403],
    undo: (scene) => patch(scene, { SIGN_UP: null }),
  },
  'a sign-in without a confirmed address': {
    change: byCommand('settings:set', 'REQUIRE_VERIFIED_EMAIL', 'on'),
    ask: async (scene) => {
      const { email, password } = await register(scene)
      const { status } = await scene.second.ask('/auth/login', { body: { email, password } })
      return status
    },
    seen: [200, 403],
    undo: byCommand('settings:unset', 'REQUIRE_VERIFIED_EMAIL'),
  },
  'an administrator with one factor': {
    change: byCommand('settings:set', 'ADMIN_REQUIRE_MFA', 'on'),
    ask: async ({ second, token }) => {
      const { status } = await second.ask('/users', { token })
      return status
    },
    seen: [200, 403],
    undo: byCommand('settings:unset', 'ADMIN_REQUIRE_MFA'),
  },
  'a provider that is added': {
    change: async ({ first, token }) => {
      const provider = { issuer: 'https://login.example.org', clientId: 'a', clientSecret: 'b' }
      await first.ask('/external-providers', { body: { name: 'acme', ...provider }, token })
    },
    ask: async ({ second }) => {
      const { body } = await second.ask('/auth/external')
      return body.map(({ name }: { name: string }) => name)
    },
    seen: [[], ['acme']],
  },
}

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Settings | ${name}, two processes`, (group) => {
    let backend: Backend | null
    let scene: Scene

    group.setup(async () => {
      backend = await start()
      const settings = { ...backend?.settings, ...WITH_ADMIN, REGISTER_IP_LIMIT: '0' }
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

    test('{$self} follows at the next request')
      .with(Object.keys(ROWS))
      .run(async ({ assert, cleanup }, what) => {
        const { change, ask, seen, undo } = ROWS[what]
        cleanup(async () => void (await undo?.(scene)))
        const before = await ask(scene)
        await change(scene)
        assert.deepEqual([before, await ask(scene)], seen)
      })

    test('mails go to a server that is named', async ({ cleanup }) => {
      const smtp = new SmtpServer(await freePort())
      await smtp.start()
      cleanup(() => smtp.stop())
      await patch(scene, { SMTP_HOST: '127.0.0.1', SMTP_PORT: smtp.port })
      const { email } = await register(scene)
      await until(() => smtp.received.some(({ to }) => to.includes(email)))
      await patch(scene, { SMTP_HOST: null, SMTP_PORT: null })
    })
  })
}
