import { createRequire, syncBuiltinESMExports } from 'node:module'
import { test } from '@japa/runner'

const v8: typeof import('node:v8') = createRequire(import.meta.url)('node:v8')

/** Returns the flags that a command sets in V8 before anything else is loaded. */
async function flagsFor(command: string | undefined) {
  const [argv, { setFlagsFromString }] = [process.argv, v8]
  const flags: string[] = []
  process.argv = [process.execPath, 'console.js', ...(command ? [command] : [])]
  v8.setFlagsFromString = (flag) => void flags.push(flag)
  syncBuiltinESMExports()
  try {
    await import(`../../bin/small_heap.ts?command=${command}`)
    return flags
  } finally {
    process.argv = argv
    v8.setFlagsFromString = setFlagsFromString
    syncBuiltinESMExports()
  }
}

test.group('Small heap', () => {
  test('commands of backups collect garbage early', async ({ assert }) => {
    for (const command of ['backup:create', 'backup:verify', 'backup:restore'])
      assert.deepEqual(await flagsFor(command), ['--optimize-for-size'])
  })

  test('{$self} keeps the heap of Node')
    .with(['user:list', 'list', 'backup', '--help'])
    .run(async ({ assert }, command) => {
      assert.deepEqual(await flagsFor(command), [])
    })

  test('so does a start without a command', async ({ assert }) => {
    assert.deepEqual(await flagsFor(undefined), [])
  })
})
