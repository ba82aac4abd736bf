import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureWritable } from './writable_folder.ts'

// `DATA_DIR` contains secrets, users and mails with valid links: no other system user may read it.

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** SQLite creates its journals later, and this mask applies to them as well. */
export function restrictNewFiles() {
  process.umask(0o077)
}

interface Entry {
  path: string
  mode: number
  expected: number
}

/** Skips symbolic links, which may lead out of the folder. */
function* entriesOf(path: string): Generator<Entry> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat || stat.isSymbolicLink()) return
  const mode = stat.mode & 0o777
  yield { path, mode, expected: stat.isDirectory() ? FOLDER_MODE : FILE_MODE }
  if (!stat.isDirectory()) return
  for (const name of readableNames(path)) yield* entriesOf(join(path, name))
}

/** A folder of another user, such as `lost+found` of a mounted disk, is skipped. */
function readableNames(folder: string) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'EACCES' || error.code === 'ENOENT') return []
    throw error
  }
}

export function findExposed(dataDir: string): Entry[] {
  return [...entriesOf(resolve(dataDir))].filter(({ mode, expected }) => mode !== expected)
}

/**
 * Does not change files of another user: `doctor` names them.
 * @throws E_INVALID_ENV_VARIABLES for a folder that cannot be made or written to
 */
export function protectDataDir(dataDir: string) {
  ensureWritable(resolve(dataDir))
  for (const { path, expected } of findExposed(dataDir)) mend(path, expected)
}

function mend(path: string, mode: number) {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!['EPERM', 'ENOENT', 'EROFS'].includes(error.code)) throw error
  }
}
