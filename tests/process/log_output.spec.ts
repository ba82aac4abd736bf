import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { freePort } from '#tests/support/free_port'
import { cleanEnvironment, newDataDirFor, Product, root } from './product.ts'
import type { TestContext } from '@japa/runner/core'

/** Starts a product with the given standard output, which logs everything. */
async function start({ cleanup }: TestContext, output: number | 'pipe') {
  const [DATA_DIR, PORT] = [newDataDirFor(), String(await freePort())]
  const child = spawn(process.execPath, ['bin/launch.js', 'serve'], {
    cwd: root,
    env: { ...cleanEnvironment(), DATA_DIR, PORT, LOG_LEVEL: 'trace' },
    stdio: ['ignore', output, 'ignore'],
  })
  cleanup(() => void child.kill('SIGKILL'))
  const answers = async () => {
    const response = await fetch(`http://127.0.0.1:${PORT}/health/live`).catch(() => null)
    return response?.ok
  }
  return { child, answers }
}

test.group('Log | output', () => {
  test('a full disk behind it ends no process', async (context) => {
    const { child, answers } = await start(context, openSync('/dev/full', 'w'))
    await until(() => answers() || child.exitCode !== null, 60_000)
    context.assert.isTrue(await answers())
    context.assert.isNull(child.exitCode)
  })

  test('a reader that is gone ends no process', async (context) => {
    const { child, answers } = await start(context, 'pipe')
    await until(answers, 60_000)
    child.stdout!.destroy()
    await wait(500)
    context.assert.isTrue(await answers())
    context.assert.isNull(child.exitCode)
  })
})

/** Each line of a log is JSON. */
const linesOf = ({ lines }: Product) => lines.map((line) => JSON.parse(line))

test.group('Log | lines', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start({ LOG_LEVEL: 'info' })
    await until(() => product.hasLogged('Gatehouse is ready at'))
  })
  group.teardown(() => product.remove())

  test('are JSON with ISO times and names of levels', async ({ assert }) => {
    for (const { level, time } of linesOf(product)) {
      assert.equal(level, 'info')
      assert.equal(new Date(time).toISOString(), time)
    }
    assert.match(product.output.join(''), /"setupLink":"http[^"]+token=[\w-]{20,}"/)
    assert.include(product.output.join(''), `"console":"${product.publicUrl}/admin"`)
    assert.include(product.output.join(''), `"documentation":"${product.publicUrl}/api-docs"`)
  })

  test('tell of each request, and nothing secret', async ({ assert }) => {
    const id = '0199f3a2-77aa-7c11-8d2e-0f0e6a7b1c2d'
    const { response } = await product.request(`/users/${id}?token=planted-secret`)
    const requestId = response.headers.get('x-request-id')
    const line = await until(() => linesOf(product).find((each) => each.requestId === requestId))
    assert.containSubset(line, { msg: 'request', method: 'GET', path: '/users/:id', status: 401 })
    assert.isFalse(product.hasLogged('planted-secret'))
    assert.isFalse(product.hasLogged('/health/live'))
  })

  test('are for people with LOG_FORMAT=pretty', async ({ assert, cleanup }) => {
    const settings = { LOG_FORMAT: 'pretty', LOG_LEVEL: 'info', LOG_REQUESTS: 'off' }
    const pretty = await Product.start(settings)
    cleanup(() => pretty.remove())
    await pretty.request('/users')
    await until(() => pretty.hasLogged('Commands: '))
    const output = pretty.output.join('')
    assert.match(output, /^\d{4}-\d\d-\d\dT[\d:.]+Z info {2}started HTTP server/m)
    const commands = `DATA_DIR=${pretty.dataDir} PORT=${new URL(pretty.url).port} npm run ace -- list`
    assert.include(output, commands)
    assert.notInclude(output, '/users')
  })
})
