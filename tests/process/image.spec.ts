import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/users'
import { newDataDir, Product } from './product.ts'

/*
 | The files of the container image, made by the command that its Dockerfile runs, and started
 | as compose.yaml starts them: everything but the data folder is read-only.
 */

const root = join(import.meta.dirname, '../..')

/** The largest layers that an upgrade may send. */
const DEPENDENCIES_MB = 40
const CODE_MB = 6

const TOOLS = ['typescript', '@swc', '@japa', '@types', '@adonisjs/assembler', 'eslint', 'node']

function makeLayers(output: string) {
  const args = ['--import=@poppinss/ts-exec', 'bin/image.ts', `--output=${output}`]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function compressedSize(printed: string, layer: string) {
  return Number(new RegExp(`^${layer}: ([\\d.]+) MB compressed`, 'm').exec(printed)?.[1])
}

/** Runs a program where only one folder can be written to. */
function withOnlyWritable(folder: string) {
  const mounts = `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind /`
  return ['unshare', '--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', process.execPath]
}

async function administrator(product: Product, email: string) {
  const { body } = await product.request('/auth/login', { body: { email, password: PASSWORD } })
  return body.accessToken as string
}

async function uploadPicture(product: Product, token: string) {
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336' } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await image.png().toBuffer())]), 'face.png')
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${product.url}/users/avatar`, { method: 'POST', body: form, headers })
}

test.group('Image', (group) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  const image = join(folder, 'image')
  const dataDir = newDataDir()
  let printed: string
  let product: Product

  group.setup(() => {
    printed = makeLayers(join(folder, 'layers'))
    mkdirSync(image)
    for (const layer of ['dependencies', 'code']) {
      cpSync(join(folder, 'layers', layer), image, { recursive: true })
    }
  })

  group.teardown(async () => {
    await product?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('its layers are small, and tools are in neither', ({ assert }) => {
    assert.isBelow(compressedSize(printed, 'dependencies'), DEPENDENCIES_MB)
    assert.isBelow(compressedSize(printed, 'code'), CODE_MB)
    for (const tool of TOOLS) assert.isFalse(existsSync(join(image, 'node_modules', tool)), tool)
  })

  test('a read-only file system serves every part', async ({ assert }) => {
    const email = someEmail()
    const settings = { ADMIN_EMAIL: email, ADMIN_PASSWORD: PASSWORD }
    const command = { program: withOnlyWritable(dataDir), folder: image }
    product = await Product.spawn(settings, dataDir, command)
    await product.answers('/health/ready')
    const token = await administrator(product, email)
    const upload = await uploadPicture(product, token)
    assert.equal(upload.status, 200)
    const setup = await product.request('/auth/mfa/setup', {
      token,
      body: { currentPassword: PASSWORD },
    })
    assert.equal(setup.status, 200)
    const passkeys = await product.request('/auth/passkeys/login-options', { method: 'POST' })
    assert.equal(passkeys.status, 200)
    const paths = [
      '/sign-in',
      '/api-docs',
      '/api-docs/swagger-ui-bundle.js',
      '/api-docs-json',
      '/.well-known/openid-configuration',
      '/metrics',
    ]
    for (const path of paths) {
      const { status } = await fetch(product.url + path)
      assert.equal(status, 200, path)
    }
  })
})
