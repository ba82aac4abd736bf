import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { test } from '@japa/runner'
import { freePort } from '#tests/support/free_port'
import { mayMount, MOUNTS_FORBIDDEN } from '#tests/support/namespaces'
import { PASSWORD, someEmail } from '#tests/support/users'
import { Container } from '#tests/servers/container'
import { ContainerImage } from '#tests/servers/container_image'
import { askAgain, jsonRequest } from './product.ts'
import type { JsonRequest } from './product.ts'

/*
 | The container image of our Dockerfile, started as compose.yaml starts it: with a user of its own
 | and without capabilities. Only the data folder is writable.
 */

/** The maximum sizes of the layers that an upgrade downloads. */
const DEPENDENCIES_MB = 40
const CODE_MB = 6

const TOOLS = ['typescript', '@swc', '@japa', '@types', '@adonisjs/assembler', 'eslint', 'node']

const PATHS = [
  '/sign-in',
  '/api-docs',
  '/api-docs/swagger-ui-bundle.js',
  '/api-docs-json',
  '/.well-known/openid-configuration',
  '/metrics',
]

function compressedSize(printed: string, layer: string) {
  return Number(new RegExp(`^${layer}: ([\\d.]+) MB compressed`, 'm').exec(printed)?.[1])
}

async function picture() {
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336' } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await image.png().toBuffer())]), 'face.png')
  return form
}

function touch(path: string) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  return spawnSync('touch', [path], { encoding: 'utf8', env })
}

test.group('Image', (group) => {
  const image = new ContainerImage()
  const administrator = { email: someEmail(), password: PASSWORD }
  let printed: string
  let container: Container | undefined
  let port: number
  let startMs: number

  async function prepare() {
    printed = image.makeLayers()
    image.build()
    container = new Container(image)
    port = await freePort()
    const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = administrator
    const settings = { PORT: String(port), ADMIN_EMAIL, ADMIN_PASSWORD }
    startMs = await container.start(settings, () => get('/health/ready').then(({ ok }) => ok))
  }

  async function remove() {
    await container?.remove()
    image.remove()
  }

  group.tap((each) => void each.skip(!mayMount, MOUNTS_FORBIDDEN))
  group.setup(() => {
    if (!mayMount) return
    return prepare().catch(async (error) => {
      await remove()
      throw error
    })
  })
  group.teardown(remove)

  function get(path: string, init?: RequestInit) {
    return fetch(`http://127.0.0.1:${port}${path}`, init)
  }

  async function ask(path: string, request: JsonRequest) {
    const response = await askAgain(() => get(path, jsonRequest(request)))
    return { status: response.status, body: (await response.json()) as any }
  }

  async function signIn() {
    const { body } = await ask('/auth/login', { body: administrator })
    return body.accessToken as string
  }

  test('its layers are small, and tools are in neither', ({ assert }) => {
    assert.isBelow(compressedSize(printed, 'dependencies'), DEPENDENCIES_MB)
    assert.isBelow(compressedSize(printed, 'code'), CODE_MB)
    const packages = join(image.layers, 'dependencies/node_modules')
    for (const tool of TOOLS) assert.isFalse(existsSync(join(packages, tool)), tool)
  })

  test('it starts, and users sign in to it', async ({ assert }) => {
    console.log(`the image: ${image.size} with its base, ready after ${startMs} ms`)
    const token = await signIn()
    const profile = await ask('/auth/profile', { token })
    assert.equal(profile.body.email, administrator.email)
  })

  test('a read-only file system serves every part', async ({ assert }) => {
    const token = await signIn()
    const headers = { authorization: `Bearer ${token}` }
    const upload = await askAgain(async () =>
      get('/users/avatar', { method: 'POST', body: await picture(), headers })
    )
    assert.equal(upload.status, 200)
    const setup = await ask('/auth/mfa/setup', { token, body: { currentPassword: PASSWORD } })
    assert.equal(setup.status, 200)
    const passkeys = await ask('/auth/passkeys/login-options', { method: 'POST' })
    assert.equal(passkeys.status, 200)
    for (const path of PATHS) {
      const { status } = await get(path)
      assert.equal(status, 200, path)
    }
  })

  test('it runs as its own user, without capabilities', ({ assert }) => {
    assert.equal(container!.config.User, 'node')
    assert.equal(container!.uid, 1_000)
    const status = readFileSync(`/proc/${container!.pid}/status`, 'utf8')
    assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m)
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) {
      assert.match(status, new RegExp(`^Cap${set}:\\t0+$`, 'm'))
    }
    assert.match(status, /^NoNewPrivs:\t1$/m)
  })

  test('its files are read-only, but for its data', ({ assert }) => {
    const files = `/proc/${container!.pid}/root`
    for (const path of ['app/written', 'tmp/written', 'etc/written']) {
      assert.include(touch(join(files, path)).stderr, 'Read-only file system', path)
    }
    assert.equal(touch(join(files, 'data/written')).status, 0)
    assert.includeMembers(readdirSync(container!.dataDir), ['gatehouse.sqlite', 'secrets.json'])
  })

  test('its health check passes, and SIGTERM ends it', async ({ assert }) => {
    const [, ...command] = container!.config.Healthcheck.Test
    const check = container!.execute(...command)
    assert.equal(check.status, 0, check.stderr)
    const broken = container!.execute('env', 'PORT=1', ...command)
    assert.equal(broken.status, 1)
    assert.equal(await container!.stop(), 0)
  })
})
