import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { decodeHeader } from '#tests/support/fixtures'
import { ace } from './ace.ts'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { newcomer, patientProfileStatus, signIn } from './backend.ts'
import { CommandProcess } from './command_process.ts'
import { Product } from './product.ts'

const ES256 = { ACCESS_TOKEN_ALGORITHM: 'ES256' }

/** After this time at the latest, a process refuses a key that another process has revoked. */
const LEARNT_MS = 10_000 + SCHEDULING_MS

test.group('Commands | keys', (group) => {
  let product: Product
  let commands: CommandProcess
  group.setup(async () => {
    product = await Product.start(ES256)
    commands = new CommandProcess(product.dataDir, ES256)
  })
  group.teardown(async () => {
    await commands.stop()
    return product.remove()
  })

  /** Runs in a separate process, which reads its settings and secrets again. */
  const run = (args: string[], settings: Record<string, string> = ES256) =>
    ace(product.dataDir, args, { settings })

  async function states() {
    const listed = await commands.run(['keys:list', '--json'])
    return listed.json().map(({ state }: { state: string }) => state)
  }

  test('rotate, use now and revoke, with exit codes', async ({ assert }) => {
    assert.deepEqual(await states(), ['signing'])
    const rotated = await commands.run(['keys:rotate', '--json'])
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.deepEqual(await states(), ['published', 'signing'])
    const again = await commands.run(['keys:rotate'])
    assert.equal(again.code, 4)
    assert.match(again.stderr, /published already/)
    const { stdout } = await commands.run(['keys:list'])
    assert.isTrue(
      stdout.split('\n').every((line) => [...line].length <= 80),
      stdout
    )
    const [{ kid }] = rotated.json()
    assert.match(stdout, new RegExp(`^${kid} +ES256 +published +\\d{4}-\\d\\d-\\d\\d$`, 'm'))
    const used = await commands.run(['keys:rotate', '--now', '--json'])
    assert.containsSubset(used.json()[0], { kid, state: 'signing' })
    const unknown = await commands.run(['keys:revoke', 'unknown', '--yes'])
    assert.equal(unknown.code, 3)
    assert.equal(unknown.stderr, 'No signing key has the id unknown: see keys:list\n')
    const revoked = await commands.run(['keys:revoke', kid, '--yes'])
    assert.equal(revoked.code, 0, revoked.stderr)
    const twice = await commands.run(['keys:revoke', kid, '--yes'])
    assert.deepEqual([twice.code, twice.stderr], [3, `The signing key ${kid} is revoked already\n`])
    assert.match(revoked.stdout, new RegExp(`${kid} +ES256 +revoked`))
    assert.notMatch(rotated.stdout + used.stdout, /PRIVATE|encrypted/i)
  })

  test('HS256 names the setting that is missing', async ({ assert }) => {
    const settings = { ACCESS_TOKEN_ALGORITHM: 'HS256' }
    const { code, stderr } = await run(['keys:rotate'], settings)
    assert.equal(code, 3)
    assert.include(stderr, 'ACCESS_TOKEN_ALGORITHM')
  })

  test('a revoked key is refused by a running server', async ({ assert }) => {
    const { token, refreshToken } = await newcomer(product)
    assert.equal(await patientProfileStatus(product, token), 200)
    const { kid } = decodeHeader(token)
    await commands.run(['keys:revoke', kid, '--yes'])
    const until = Date.now() + LEARNT_MS
    while (Date.now() < until && (await patientProfileStatus(product, token)) === 200)
      await wait(200)
    assert.equal(await patientProfileStatus(product, token), 401)
    const { body } = await product.ask('/auth/refresh', { body: { refreshToken } })
    assert.equal(await patientProfileStatus(product, body.accessToken), 200)
    const inspected = await commands.run(['token:inspect', '--json'], token)
    assert.match(inspected.json().reason, /^Its key was revoked/)
    const trail = await commands.run(['audit:list', '--action=signing_key.revoked', '--json'])
    assert.match(trail.json()[0].actor, /^cli:/)
    assert.equal(trail.json()[0].details.kid, kid)
  })

  test('doctor has a line on the keys', async ({ assert }) => {
    const { stdout } = await run(['doctor'])
    assert.match(stdout, /^✔ signing keys +ES256, 0 days old/m)
  })

  /** Changes `APP_KEY` and restarts the server, as an operator does. */
  async function changeAppKey(...flags: string[]) {
    const { code, stderr } = await run(['secrets:rotate', 'APP_KEY', ...flags])
    if (code !== 0) throw new Error(stderr)
    await product.stop()
    product = await Product.start(ES256, product.dataDir)
  }

  test('a key outlives the APP_KEY that encrypted it', async ({ assert }) => {
    await changeAppKey()
    const [{ kid }] = await run(['keys:rotate', '--now', '--json']).then(({ json }) => json())
    const user = await newcomer(product)
    await changeAppKey()
    await changeAppKey('--drop-old', '--yes')
    const { token } = await signIn(product, user)
    assert.equal(decodeHeader(token).kid, kid)
    assert.equal(await patientProfileStatus(product, token), 200)
  })
})
