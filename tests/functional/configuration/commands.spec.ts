import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import ConfigApply from '#commands/config_apply'
import { findGroupByName } from '#groups/group_rows'
import { configurationFile } from '#tests/support/configuration'
import { runCommand } from '#tests/support/commands'

test.group('Commands | config:apply', () => {
  test('a check ends with 1 until the file is applied', async ({ assert }) => {
    const name = `Staff ${randomUUID()}`
    const file = await configurationFile(`groups: [{ name: ${name} }]`)
    const checked = await runCommand(ConfigApply, [file, '--check'])
    assert.equal(checked.code, 1)
    assert.containsSubset(checked.printed, [{ action: 'create', kind: 'group', name }])
    assert.isNull(await findGroupByName(name))
    const applied = await runCommand(ConfigApply, [file])
    assert.equal(applied.code, 0)
    const again = await runCommand(ConfigApply, [file, '--check'])
    assert.deepEqual([again.code, again.printed], [0, []])
  })

  test('a fault ends with 2 and names file, line and field', async ({ assert }) => {
    const file = await configurationFile('groups:\n  - title: Staff')
    for (const more of [[], ['--check']]) {
      const { code, told } = await runCommand(ConfigApply, [file, ...more])
      assert.equal(code, 2)
      assert.include(told, `${file}:2:5: groups.0.name: The name field must be defined`)
    }
  })

  test('several files are applied together', async ({ assert }) => {
    const name = `Staff ${randomUUID()}`
    const groups = await configurationFile(`groups: [{ name: ${name} }]`)
    const accounts = await configurationFile(
      `serviceAccounts: [{ username: 'robot ${name}', groups: [${name}] }]`
    )
    const { code } = await runCommand(ConfigApply, [accounts, groups])
    assert.equal(code, 0)
    const group = await findGroupByName(name)
    assert.equal(group!.memberCount, 1)
  })
})
