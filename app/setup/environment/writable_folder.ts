import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { invalidEnvironment } from './invalid_environment.ts'

/** A file mode does not reveal a full disk or a read-only mount. @throws E_INVALID_ENV_VARIABLES */
export function ensureWritable(folder: string) {
  try {
    for (const missing of missingFolders(folder)) makeFolder(missing)
    writeProbe(join(folder, `.write-test.${process.pid}`))
  } catch (error) {
    throw invalidEnvironment([`DATA_DIR: ${reasonOf(error, folder)}`])
  }
}

/** Replaces `mkdir` with `recursive`, which never returns for a folder in `/proc`. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder]
}

/** Another process that starts at the same time may have created the folder. */
function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}

function writeProbe(file: string) {
  writeFileSync(file, 'x')
  rmSync(file)
}

const REASONS: Record<string, (folder: string) => string> = {
  EACCES: notOurs,
  EPERM: notOurs,
  EROFS: (folder) => `${folder} is on a read-only file system. Mount a volume there.`,
  ENOSPC: (folder) => `the disk of ${folder} is full. Make room.`,
  ENOTDIR: (folder) => `${folder} is not a folder, or has a file in its path. Name a folder.`,
}

function reasonOf(error: NodeJS.ErrnoException, folder: string) {
  const reason = REASONS[error.code ?? '']
  if (reason) return reason(folder)
  return `${folder} cannot be made or written to (${error.code}). Name another folder.`
}

/** The user of a container may have no name, so the message contains ids. */
function notOurs(folder: string) {
  const own = `${process.getuid?.()}:${process.getgid?.()}`
  const remedy = `mkdir -p ${folder} && chown -R ${own} ${folder}`
  return `${ownerOf(folder)}, and Gatehouse runs as ${own}. Run as root: ${remedy}`
}

function ownerOf(folder: string): string {
  if (!existsSync(folder)) return ownerOf(dirname(folder))
  const { uid, gid, mode } = statSync(folder)
  return `${folder} belongs to ${uid}:${gid} (mode 0${(mode & 0o777).toString(8)})`
}
