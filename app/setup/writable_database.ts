import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sentence } from '#i18n/sentences'

/** A write also needs SQLite's write-ahead log and its index. */
const FILES = ['gatehouse.sqlite', 'gatehouse.sqlite-wal', 'gatehouse.sqlite-shm']

export function findUnwritable(dataDir: string) {
  const file = FILES.map((name) => resolve(dataDir, name)).find((path) => !isWritable(path))
  return file ? describe(file, resolve(dataDir)) : null
}

function isWritable(path: string) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    return error.code === 'ENOENT'
  }
}

function describe(file: string, folder: string) {
  const { uid, gid, mode } = statSync(file)
  const own = `${process.getuid?.()}:${process.getgid?.()}`
  const isOwn = uid === process.getuid?.()
  const owner = { owner: `${uid}:${gid}`, mode: `0${(mode & 0o777).toString(8)}` }
  return {
    finding: sentence('database.unwritable', { file, ...owner, own }),
    remedy: isOwn
      ? sentence('database.chmod', { folder })
      : sentence('database.chown', { folder, own }),
  }
}

interface Database {
  rawQuery(sql: string): Promise<unknown>
}

/** Writes a row, because no user can sign in if the database only answers reads. */
export async function writeOnce(db: Database) {
  await db.rawQuery('UPDATE installation SET id = id WHERE id = 1')
}
