import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Message } from '@adonisjs/mail'
import { FileTransport } from '#mails/file_transport'
import { temporaryFolder } from '#tests/support/temporary_folder'

const mail = () => new Message().to('ada@example.org').text('Hello').toObject().message

test.group('Mail files | folder', (group) => {
  let dataDir: string

  group.each.setup(async () => {
    dataDir = temporaryFolder('mails')
  })

  test('the first mail makes the folder of mails', async ({ assert }) => {
    const folder = join(dataDir, 'outbox')
    const transport = new FileTransport(folder)
    await transport.send(mail(), { fileName: 'first.eml' })
    await transport.send(mail(), { fileName: 'second.eml' })
    assert.sameMembers(await readdir(folder), ['first.eml', 'second.eml'])
  })

  test('a mail fails while the data folder is away', async ({ assert }) => {
    const away = join(dataDir, 'away')
    const transport = new FileTransport(join(away, 'outbox'))
    await assert.rejects(() => transport.send(mail(), { fileName: 'first.eml' }), /ENOENT/)
    assert.isFalse(existsSync(away))
  })
})
