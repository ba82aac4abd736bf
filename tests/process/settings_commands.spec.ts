import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { smallPicture } from '../functional/matrix/sensitive_changes.ts'
import { CommandProcess } from './command_process.ts'
import { Installation } from './installation.ts'

/* Commands that restore access: they work without a server, and if the console is read-only. */

test.group('Commands | settings', (group) => {
  let at: Installation
  let commands: CommandProcess
  group.setup(async () => {
    at = Installation.prepare(null, { SETTINGS_IN_CONSOLE: 'off', BRAND_COLOR: '#a01f60' })
    commands = new CommandProcess(at.dataDir, at.settings)
  })
  group.teardown(async () => {
    await commands.stop()
    return at.remove()
  })

  async function settingOf(key: string) {
    const { json } = await commands.succeed(['settings:list', '--json'])
    return json().find((each: { key: string }) => each.key === key)
  }

  test('a setting is set, listed and unset', async ({ assert }) => {
    await commands.succeed(['settings:set', 'SIGN_UP', 'invite'])
    assert.containsSubset(await settingOf('SIGN_UP'), { value: 'invite', source: 'console' })
    await commands.succeed(['settings:unset', 'SIGN_UP'])
    assert.containsSubset(await settingOf('SIGN_UP'), { value: 'open', source: 'default' })
  })

  test('the changed setting is told as JSON if asked', async ({ assert }) => {
    const set = await commands.succeed(['settings:set', 'SMTP_PORT', '2525', '--json'])
    assert.containsSubset(set.json(), { key: 'SMTP_PORT', value: 2525, source: 'console' })
    const unset = await commands.succeed(['settings:unset', 'SMTP_PORT', '--json'])
    assert.deepEqual(unset.json(), await settingOf('SMTP_PORT'))
  })

  test('the list fits 80 columns', async ({ assert }) => {
    const settings = {
      OIDC_PROVIDERS: 'company',
      OIDC_COMPANY_ISSUER: 'https://id.example.org',
      OIDC_COMPANY_CLIENT_ID: 'b'.repeat(50),
      OIDC_COMPANY_CLIENT_SECRET: 'c',
    }
    const { stdout } = await at.run(['settings:list'], { settings })
    assert.include(stdout, 'OIDC_COMPANY_CLIENT_SECRET  set ')
    assert.isTrue(
      stdout.split('\n').every((line) => [...line].length <= 80),
      stdout
    )
  })

  test('a keyring that a start made is from DATA_DIR', async ({ assert }) => {
    const settings = { APP_KEY: randomBytes(48).toString('base64url') }
    const { stdout } = await at.run(['settings:list'], { settings })
    assert.match(stdout, /^APP_KEY +set +environment$/m)
    for (const name of ['JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS'])
      assert.match(stdout, new RegExp(`^${name} +set +DATA_DIR$`, 'm'))
  })

  test('a secret comes from standard input alone', async ({ assert }) => {
    const refused = await commands.run(['settings:set', 'SMTP_PASSWORD', 'hunter2'])
    assert.equal(refused.code, 2)
    assert.notInclude(refused.stderr, 'hunter2')
    await commands.succeed(['settings:set', 'SMTP_PASSWORD', '-'], 'hunter2\n')
    const listed = await commands.succeed(['settings:list', '--json'])
    assert.notInclude(listed.stdout, 'hunter2')
    assert.containsSubset(await settingOf('SMTP_PASSWORD'), { value: 'set', source: 'console' })
  })

  test('a logo comes from the folder of the operator, or by a pipe', async ({ assert }) => {
    const picture = await smallPicture()
    writeFileSync(join(at.dataDir, 'logo.png'), picture)
    const settings = { INIT_CWD: at.dataDir }
    const runs = [
      () => at.run(['settings:set', 'BRAND_LOGO', 'logo.png'], { settings }),
      () => at.run(['settings:set', 'BRAND_LOGO', '-'], { stdin: picture }),
    ]
    for (const run of runs) {
      const { code, stderr } = await run()
      assert.deepEqual([code, stderr], [0, 'BRAND_LOGO is set.\n'])
      assert.containsSubset(await settingOf('BRAND_LOGO'), { value: 'set', source: 'console' })
      await commands.succeed(['settings:unset', 'BRAND_LOGO'])
    }
  })

  test('{args} ends with {code}')
    .with([
      { args: ['settings:set', 'BRAND_COLOR', '#2f56cf'], code: 4 },
      { args: ['settings:set', 'BRAND_COLOUR', '#2f56cf'], code: 2 },
      { args: ['settings:set', 'LOG_LEVEL', 'debug'], code: 2 },
      { args: ['settings:set', 'SMTP_PORT', 'many'], code: 2 },
      { args: ['settings:set', 'BRAND_LOGO', '/dev/zero'], code: 2 },
      { args: ['settings:set', 'BRAND_LOGO', '.'], code: 2 },
      { args: ['settings:set', 'BRAND_LOGO', 'missing.png'], code: 2 },
    ])
    .run(async ({ assert }, { args, code }) => {
      const refused = await commands.run(args)
      assert.equal(refused.code, code, refused.stderr)
    })
})
