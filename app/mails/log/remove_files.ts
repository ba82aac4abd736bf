import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { mailFilesDir } from '#config/mail'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'
import { draftNameOf } from '#mails/file_transport'
import { mailFileName, type NamedMail } from './mail_file.ts'

/*
 | A mail file holds an address: it goes with its row. The sweep removes what a killed process left.
 */

export async function removeMailFiles(mails: NamedMail[]) {
  await Promise.all(mails.flatMap((mail) => namesOf(mail).map(removeFile)))
}

function namesOf(mail: NamedMail) {
  const name = mailFileName(mail)
  return [name, draftNameOf(name)]
}

function removeFile(name: string) {
  return rm(join(mailFilesDir, name), { force: true })
}

/** Captures the mail id in the name of a mail file or draft. The folder may hold other files. */
const MAIL_FILE = /^(?:\.)?\d{4}-[\dTZ-]+_\w+_([\da-f-]{36})\.eml(?:\.draft)?$/

/** @returns the number of removed files */
export async function sweepMailFiles(now = Date.now()) {
  let removed = 0
  for await (const names of mailFileNames()) {
    removed += await sweep(names, now)
    await yieldToEventLoop()
  }
  return removed
}

async function* mailFileNames() {
  const folder = await opendir(mailFilesDir).catch(() => null)
  if (!folder) return
  let names: string[] = []
  for await (const { name } of folder) {
    if (MAIL_FILE.test(name)) names.push(name)
    if (names.length < BATCH_SIZE) continue
    yield names
    names = []
  }
  yield names
}

async function sweep(names: string[], now: number) {
  const ids = names.map(mailIdOf)
  const rows = await db.from('mails').whereIn('id', ids).select('id')
  const known = new Set(rows.map(({ id }) => id as string))
  let removed = 0
  for (const name of names) {
    const isLeft = !known.has(mailIdOf(name)) || (await isOldDraft(name, now))
    if (isLeft) await removeFile(name)
    if (isLeft) removed++
  }
  return removed
}

const mailIdOf = (name: string) => MAIL_FILE.exec(name)![1]

/** Writing a draft takes milliseconds: an older draft was left by a killed process. */
const DRAFT_MS = 3_600_000

async function isOldDraft(name: string, now: number) {
  if (!name.endsWith('.draft')) return false
  const found = await stat(join(mailFilesDir, name)).catch(() => null)
  return found !== null && now - found.mtimeMs > DRAFT_MS
}
