import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import env from '#start/env'
import brand from '#config/brand'
import { ENTRY_NAME } from './archive/manifest.ts'

export interface BackedUpFile {
  /** The name of its entry. */
  name: string
  path: string
}

/** Far more than texts of one page need. */
const MAX_BYTES = 1024 * 1024

/** Files beside the database: texts of the operator, and the logo. */
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
  const paths = named.filter(({ name }) => ENTRY_NAME.test(name))
  return paths.filter(({ path }) => statSync(path).isFile() && statSync(path).size <= MAX_BYTES)
}

function findLogo() {
  const path = env.get('BRAND_LOGO')
  if (!path || !brand.logo) return []
  return [{ name: `logo.${brand.logo.extension}`, path: resolve(path) }]
}
