import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { test } from '@japa/runner'
import { metricNames } from '#health/metrics/registry'
import { findOrInstall } from '#tests/support/debian'

const folder = join(import.meta.dirname, '../../examples/observability')

/** Returns the metrics that a file names, without the suffixes of a histogram. */
function namedIn(file: string) {
  const text = readFileSync(join(folder, file), 'utf8')
  const names = text.match(/\bgatehouse_[a-z_]+\b/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))]
}

function promtool(...args: string[]) {
  const program = findOrInstall('promtool', 'prometheus')
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
}

test.group('Example of observability', () => {
  test('{$self} names metrics that are exported')
    .with(['rules.yml', 'rules_test.yml', 'dashboard.json'])
    .run(({ assert }, file) => {
      const named = namedIn(file)
      assert.isNotEmpty(named)
      assert.includeMembers(metricNames(), named)
    })

  test('promtool accepts the rules', ({ assert }) => {
    const { status, stderr } = promtool('check', 'rules', 'rules.yml')
    assert.equal(status, 0, stderr)
  })

  test('the rules fire when they should, and on no quiet night', ({ assert }) => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'rules_test.yml')
    assert.equal(status, 0, stdout + stderr)
  })
})
