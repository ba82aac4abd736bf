import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import { CommitWatch } from '#auth/store/database/commit_watch'
import { temporaryFolder } from '#tests/support/temporary_folder'

test.group('Commit watch', (group) => {
  let folder: string
  let writer: Sqlite.Database
  let reader: Sqlite.Database
  let watch: CommitWatch
  group.each.setup(() => {
    folder = temporaryFolder('watch')
    const file = join(folder, 'probes.sqlite')
    writer = new Sqlite(file)
    writer.pragma('journal_mode = WAL')
    writer.exec('CREATE TABLE probes (id integer)')
    reader = new Sqlite(file, { readonly: true })
    watch = new CommitWatch(reader)
    watch.hasChanged()
    return () => {
      for (const connection of [reader, writer]) connection.close()
      rmSync(folder, { recursive: true })
    }
  })

  const write = () => writer.prepare('INSERT INTO probes VALUES (1)').run()

  test('sees no change without a commit', ({ assert }) => {
    assert.isFalse(watch.hasChanged())
  })

  test('sees a commit of another connection once', ({ assert }) => {
    write()
    assert.deepEqual([watch.hasChanged(), watch.hasChanged()], [true, false])
  })
})
