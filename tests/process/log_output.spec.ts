import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { freePort } from '#tests/support/free_port'
import { cleanEnvironment, newDataDir, root } from './product.ts'
import type { TestContext } from '@japa/runner/core'

/** A product whose standard output goes where `output` says, and that logs all. */
async function start({ cleanup }: TestContext, output: number | 'pipe') {
  const [DATA_DIR, PORT] = [newDataDir(), String(await freePort())]
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
