import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Kernel, ListLoader } from '@adonisjs/core/ace'
import app from '@adonisjs/core/services/app'
import { formatHelp, formatOptions, showHelp } from '../../commands/_help.ts'

const root = join(import.meta.dirname, '../..')
const FILES = globSync('commands/[!_]*.ts', { cwd: root })
const BINARY = 'npm run -s ace --'

/** A single word may be longer than the width of the terminal. */
const isTooLong = (line: string, width: number) =>
  [...line].length > width && line.trim().replace(/ \\$/, '').includes(' ')

test.group('Help of a command', () => {
  test('{command} has help that fits {width} columns')
    .with(
      FILES.flatMap((file) =>
        [80, 60].map((width) => ({ command: file.slice(9, -3), file, width }))
      )
    )
    .run(async ({ assert }, { file, width }) => {
      const { default: Command } = await import(join(root, file))
      const { help = [] } = Command.serialize()
      const lines = [help].flat().map((line) => line.replaceAll('{{ binaryName }}', BINARY))
      const tooLong = formatHelp(lines, width).filter((line) => isTooLong(line, width))
      assert.deepEqual(tooLong, [])
    })

  test('{command} tells it without arguments')
    .with(FILES.map((file) => ({ command: file.slice(9, -3), file })))
    .run(async ({ assert }, { file }) => {
      const { default: Command } = await import(join(root, file))
      const kernel = new Kernel(app).addLoader(new ListLoader([Command]))
      kernel.ui.switchMode('raw')
      kernel.defineFlag('help', { type: 'boolean' })
      kernel.on('help', showHelp)
      await kernel.handle([Command.commandName, '--help'])
      assert.equal(kernel.exitCode, 0)
      const lines = kernel.ui.logger.getLogs().map(({ message }) => message)
      assert.include(lines.join(' ').replace(/\s+/g, ' '), Command.description)
    })

  test('a paragraph of the source is wrapped as a whole', ({ assert }) => {
    const lines = formatHelp(['One paragraph that', 'goes on.', '', 'Another.'], 20)
    assert.deepEqual(lines, ['  One paragraph that', '  goes on.', '', '  Another.'])
  })

  test('a long command can be copied into a shell', ({ assert }) => {
    const command = ['  ace make --name="Mobile app" \\', '    --redirect-uri=x:/callback']
    assert.deepEqual(formatHelp(command, 36), [
      '    ace make --name="Mobile app" \\',
      '      --redirect-uri=x:/callback',
    ])
  })

  test('words and their meanings stand in columns', ({ assert }) => {
    const entries = ['  gone     disables the webhook', '  timeout  no answer']
    assert.deepEqual(formatHelp(entries, 24), [
      '    gone     disables',
      '             the webhook',
      '    timeout  no answer',
    ])
  })

  test('a long option has a line of its own', ({ assert }) => {
    const options = [
      { name: '--a-long-option=OPTION', description: 'Its text goes on below' },
      { name: '--json', description: 'Short' },
    ]
    assert.deepEqual(formatOptions(options, 30), [
      {
        name: '  --a-long-option=OPTION\n',
        lines: ['          Its text goes on', '          below'],
      },
      { name: '  --json  ', lines: ['Short'] },
    ])
  })
})
