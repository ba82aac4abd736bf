import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import env from '#start/env'
import { textsFolder } from '#backup/backed_up_files'
import type { Files } from './batches.ts'

/** Writes the files after the commit. @returns the path of the logo, or null */
export function writeFiles(files: Files) {
  let logo: string | null = null
  for (const [name, content] of files) {
    const path = pathOf(name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, content, { mode: 0o600, flush: true })
    if (!name.startsWith('texts/')) logo = path
  }
  return logo
}

/** The manifest allows no name that leads out of the folder. */
function pathOf(name: string) {
  const [folder, ...rest] = name.split('/')
  return folder === 'texts'
    ? join(textsFolder(), ...rest)
    : join(resolve(env.get('DATA_DIR')), name)
}
