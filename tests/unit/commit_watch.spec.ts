import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextPhase } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import { CommitWatch } from '#auth/store/database/commit_watch'
import { noteRequest } from '#auth/store/database/request_batch'
import { countWrites } from '#database/sqlite_writes'

/** The first of the two may still run in the iteration that called it. */
async function nextIteration() {
  await nextPhase()
  await nextPhase()
}

test.group('Commit watch', (group) => {
  let folder: string
  let writer: Sqlite.Database
  let reader: Sqlite.Database
  let watch: CommitWatch
  group.each.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'))
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

  test('reads the version once in a request batch', async ({ assert }) => {
    noteRequest()
    watch.hasChanged()
    write()
    assert.isFalse(watch.hasChanged())
    await nextIteration()
    noteRequest()
    assert.isTrue(watch.hasChanged())
  })

  test('sees a write of this process within a batch', ({ assert }) => {
    countWrites(writer)
    noteRequest()
    watch.hasChanged()
    write()
    assert.isTrue(watch.hasChanged())
  })
})
