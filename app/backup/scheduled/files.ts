import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/backup'
import type { Transaction } from '#database/transaction'

const TABLE = 'backup_files'

/** Only files with such a name are deleted, whatever the table says. */
const NAME = /^scheduled-[\d-]{10}T[\d-]{8}Z-[\da-f]{8}\.tar\.zst\.age$/

/** A file that a killed process began to write, beside the final name. */
const DRAFT = /^\.scheduled-[\d-]{10}T[\d-]{8}Z-[\da-f]{8}\.tar\.zst\.age\.[\da-f]+$/

const DRAFT_MS = 86_400_000

/** After this time, the machine of a missing file counts as gone. */
const LOST_MS = 366 * 86_400_000

export async function newBackupFile(runId: string, at: number) {
  await mkdir(settings.folder, { recursive: true, mode: 0o700 })
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  return join(settings.folder, `scheduled-${time}Z-${runId.slice(0, 8)}.tar.zst.age`)
}

export async function noteFile(trx: Transaction, name: string, madeAt: number) {
  const row = { name, host: hostname(), made_at: madeAt }
  await trx.insertQuery().table(TABLE).insert(row)
}

interface KeptFile {
  name: string
  host: string
  made_at: number
}

/** Keeps the newest of the files that `BACKUP_EVERY` made; other files are not touched. */
export async function deleteOldFiles(now = Date.now()) {
  const files: KeptFile[] = await db.from(TABLE).orderBy('made_at', 'desc').orderBy('name', 'desc')
  for (const file of files.slice(settings.keep)) {
    if (await deleteFile(file, now)) await db.from(TABLE).where('name', file.name).delete()
  }
  await deleteDrafts(now)
}

/** @returns whether the file is gone; it may be in the folder of another machine */
async function deleteFile({ name, host, made_at: madeAt }: KeptFile, now: number) {
  const path = join(settings.folder, name)
  if (NAME.test(name) && (await exists(path))) {
    await rm(path, { force: true })
    return true
  }
  return host === hostname() || Number(madeAt) < now - LOST_MS
}

function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false
  )
}

async function deleteDrafts(now: number) {
  const names = await readdir(settings.folder).catch(() => [])
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const path = join(settings.folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - DRAFT_MS) await rm(path, { force: true })
  }
}
