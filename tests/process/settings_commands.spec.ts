import { test } from '@japa/runner'
import { Installation } from './installation.ts'

/* The way back in: they work while no server runs, and whatever the console may not change. */

test.group('Commands | settings', (group) => {
  let at: Installation
  group.setup(async () => {
    at = await Installation.start(null, { SETTINGS_IN_CONSOLE: 'off', BRAND_COLOR: '#a01f60' })
    await at.product.stop()
  })
  group.teardown(() => at.remove())

  async function settingOf(key: string) {
    const { json } = await at.succeed(['settings:list', '--json'])
    return json().find((each: { key: string }) => each.key === key)
  }

  test('a setting is set, listed and unset', async ({ assert }) => {
    await at.succeed(['settings:set', 'SIGN_UP', 'invite'])
    assert.containsSubset(await settingOf('SIGN_UP'), { value: 'invite', source: 'console' })
    await at.succeed(['settings:unset', 'SIGN_UP'])
    assert.containsSubset(await settingOf('SIGN_UP'), { value: 'open', source: 'default' })
  })

  test('a secret comes from standard input alone', async ({ assert }) => {
    const refused = await at.run(['settings:set', 'SMTP_PASSWORD', 'hunter2'])
    assert.equal(refused.code, 2)
    assert.notInclude(refused.stderr, 'hunter2')
    await at.succeed(['settings:set', 'SMTP_PASSWORD', '-'], { stdin: 'hunter2\n' })
    const listed = await at.succeed(['settings:list', '--json'])
    assert.notInclude(listed.stdout, 'hunter2')
    assert.containsSubset(await settingOf('SMTP_PASSWORD'), { value: 'set', source: 'console' })
  })

  test('{args} ends with {code}')
    .with([
      { args: ['settings:set', 'BRAND_COLOR', '#2f56cf'], code: 4 },
      { args: ['settings:set', 'BRAND_COLOUR', '#2f56cf'], code: 2 },
      { args: ['settings:set', 'LOG_LEVEL', 'debug'], code: 2 },
      { args: ['settings:set', 'SMTP_PORT', 'many'], code: 2 },
    ])
    .run(async ({ assert }, { args, code }) => {
      const refused = await at.run(args)
      assert.equal(refused.code, code, refused.stderr)
    })
})
