import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ace } from './ace.ts'
import { newDataDir } from './product.ts'
import { watchModules } from './watched_modules.ts'

test.group('Commands | what they load', (group) => {
  const folder = newDataDir()
  group.teardown(() => rmSync(folder, { recursive: true, force: true }))

  test('help starts no application', async ({ assert }) => {
    const { settings, loaded } = watchModules()
    const { code } = await ace(folder, ['user:list', '--help'], {
      settings: { ...settings, DB_CONNECTION: 'none' },
    })
    assert.equal(code, 0)
    assert.isNotEmpty(loaded('/commands/user_list'))
    assert.isEmpty(loaded('/start/routes'))
    assert.isEmpty(loaded('/node_modules/knex/'))
  })

  test('a command loads no guard and no provider of sign-ins', async ({ assert }) => {
    const { settings, loaded } = watchModules()
    const { code } = await ace(folder, ['group:list'], { settings })
    assert.equal(code, 0)
    assert.isNotEmpty(loaded('/config/auth'))
    for (const part of ['auth/guards/api/', 'auth/guards/web/', '/node_modules/oidc-provider/']) {
      assert.isEmpty(loaded(part))
    }
  })

  test('ask no other program for the size of a terminal', async ({ assert }) => {
    const programs = temporaryFolder('programs')
    const tput = `#!/bin/sh\ntouch ${join(programs, 'asked')}\necho 80\n`
    writeFileSync(join(programs, 'tput'), tput, { mode: 0o755 })
    const settings = { PATH: `${programs}:${process.env.PATH}` }
    const { code } = await ace(folder, ['list'], { settings })
    assert.equal(code, 0)
    assert.isFalse(existsSync(join(programs, 'asked')))
  })
})
