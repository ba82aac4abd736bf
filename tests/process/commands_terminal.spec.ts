import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { someEmail } from '#tests/support/users'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { environmentHere, newDataDirFor, root } from './product.ts'

/* What operators see and type on a terminal, which `script` gives to a command. */

const CTRL_C = '\x03'

/** Types the keys as soon as the command has printed the text. */
async function onTerminal(
  dataDir: string,
  args: string[],
  typed?: { after: string; keys: string }
) {
  const command = [process.execPath, 'bin/launch.js', 'ace', ...args].join(' ')
  const env = { ...environmentHere(), DATA_DIR: dataDir, LOG_LEVEL: 'error', TERM: 'xterm' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (typed) {
    await until(() => output.includes(typed.after))
    child.stdin.write(typed.keys)
  }
  return { code: await ended, output }
}

test.group('Commands | on a terminal', (group) => {
  const dataDir = newDataDirFor()
  const email = someEmail()
  group.tap((each) => each.timeout(120_000))
  group.setup(async () => {
    const { code, stderr } = await ace(dataDir, ['user:create', email, '--generate'])
    if (code !== 0) throw new Error(stderr)
  })

  test('an import shows how far it is', async ({ assert }) => {
    const file = join(dataDir, 'users.ndjson')
    const rows = Array.from({ length: 3 }, () => ({ email: someEmail(), username: 'Ada' }))
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
    const { code, output } = await onTerminal(dataDir, ['user:import', file])
    assert.equal(code, 0, output)
    assert.match(output, /█ 100 % · 3 rows · 3 new · 0 there · 0 refused/)
  })

  test('Ctrl-C at the question of {args.0} changes nothing')
    .with([
      { args: ['user:delete', email], after: 'for good?' },
      { args: ['user:create', someEmail()], after: 'Password' },
      { args: ['backup:create', '--passphrase'], after: 'Passphrase' },
    ])
    .run(async ({ assert }, { args, after }) => {
      const { code, output } = await onTerminal(dataDir, args, { after, keys: CTRL_C })
      assert.equal(code, 2, output)
      assert.match(output, /Nothing was changed\.\r\n$/)
      assert.notInclude(output, 'Node.js')
      const { json } = await ace(dataDir, ['user:show', email, '--json'])
      assert.equal(json().email, email)
    })
})
