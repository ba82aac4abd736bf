import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import env from '#start/env'
import brand from '#config/brand'
import limits from '#config/limits'
import { ENTRY_NAME } from './archive/manifest.ts'

export interface BackedUpFile {
  /** The name of its entry. */
  name: string
  path: string
}

/** Returns the files beside the database: texts of the operator, and the logo. */
export async function findBackedUpFiles(): Promise<BackedUpFile[]> {
  return [...findTexts(), ...findLogo()]
}

export function textsFolder() {
  return resolve(env.get('DATA_DIR'), 'lang')
}

function findTexts() {
  const folder = textsFolder()
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files.filter((file) => file.endsWith('.json')).sort()
  const named = texts.map((file) => ({ name: `texts/${file}`, path: join(folder, file) }))
  return named.filter(({ name, path }) => ENTRY_NAME.test(name) && isSmallFile(path))
}

function findLogo() {
  const path = env.get('BRAND_LOGO')
  if (!path || !brand.logo) return []
  return [{ name: `logo.${brand.logo.extension}`, path: resolve(path) }]
}

/** A restore reads no larger file. */
function isSmallFile(path: string) {
  const stats = statSync(path)
  return stats.isFile() && stats.size <= limits.backupFileBytes
}
