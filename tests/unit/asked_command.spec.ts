import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { getCommand, getMetaData } from '../../bin/asked_command.ts'

const root = join(import.meta.dirname, '../..')
const FILES = globSync('commands/[!_]*.ts', { cwd: root })

/** Returns which files of `commands/` a start with these arguments reads. */
async function namesFor(...args: string[]) {
  const before = process.argv
  process.argv = [process.execPath, 'console.js', ...args]
  try {
    const metaData = await getMetaData()
    return metaData.map(({ commandName }) => commandName)
  } finally {
    process.argv = before
  }
}

test.group('Asked command', () => {
  test('each command of the product is found by its name', async ({ assert }) => {
    for (const file of FILES) {
      const { default: Command } = await import(join(root, file))
      assert.deepEqual(await namesFor(Command.commandName), [Command.commandName], file)
    }
  })

  test('flags after the name change nothing', async ({ assert }) => {
    assert.deepEqual(await namesFor('user:list', '--help'), ['user:list'])
    assert.deepEqual(await namesFor('doctor', '--json'), ['doctor'])
  })

  test('“{0}” leaves the search to the framework')
    .with([
      [''],
      ['list'],
      ['help'],
      ['user'],
      ['user:nonsense'],
      ['nonsense'],
      ['migration:run'],
      ['User:List'],
      ['user:list_'],
      ['user_list'],
      ['user-list'],
      ['user:create:more'],
      ['backup:_command'],
      ['_help'],
      ['../bin/console'],
      ['user:../list'],
      ['constructor'],
      ['--help'],
      ['--version'],
    ])
    .run(async ({ assert }, [name]) => {
      assert.deepEqual(await namesFor(name), [])
    })

  test('no argument, and a flag before the name, too', async ({ assert }) => {
    assert.deepEqual(await namesFor(), [])
    assert.deepEqual(await namesFor('--no-ansi', 'user:list'), [])
  })

  test('no command goes by a second name, which would not be found', async ({ assert }) => {
    for (const file of FILES) {
      const { default: Command } = await import(join(root, file))
      assert.isEmpty(Command.serialize().aliases, file)
    }
  })

  test('the command itself comes from its file', async ({ assert }) => {
    const { default: UserList } = await import(join(root, 'commands/user_list.ts'))
    assert.equal(await getCommand(UserList.serialize()), UserList)
  })
})
