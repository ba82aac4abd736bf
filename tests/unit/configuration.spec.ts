import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'

const root = join(import.meta.dirname, '../..')

function namesIn(file: string, pattern: RegExp) {
  const text = readFileSync(join(root, file), 'utf8')
  return new Set([...text.matchAll(pattern)].map((match) => match[1]))
}

test.group('Configuration', () => {
  test('every variable that is read is documented', ({ assert }) => {
    const read = namesIn('start/env.ts', /^ {2}([A-Z][A-Z_]+):/gm)
    const explained = namesIn('docs/configuration.md', /`([A-Z][A-Z_]+)`/g)
    assert.isAbove(read.size, 40)
    assert.deepEqual(
      [...read].filter((name) => !explained.has(name)),
      []
    )
  })
})
