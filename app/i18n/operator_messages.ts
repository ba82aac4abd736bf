import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@adonisjs/core/logger'
import { E_LANGUAGE_FILE } from './errors.ts'
import { readLanguage, known } from './message_file.ts'

/* Messages are read and checked at the start. A broken one would otherwise fail in a request. */

export type Messages = Record<string, string>

const MAX_LANGUAGES = 40

export interface Source {
  folder: string
  productFolder: string
  logger: Pick<Logger, 'warn'>
}

/** @throws E_LANGUAGE_FILE which names the file and the key */
export async function readOperatorMessages({ folder, productFolder, logger }: Source) {
  if (!existsSync(folder)) return {}
  const originals = readLanguage(join(productFolder, 'en'))
  const languages = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  if (languages.length > MAX_LANGUAGES) {
    throw new E_LANGUAGE_FILE([folder, '', `more than ${MAX_LANGUAGES} languages`])
  }
  return Object.fromEntries(
    languages.map((language) => [
      assertLanguage(language, folder),
      known(readLanguage(join(folder, language)), originals, logger),
    ])
  )
}

function assertLanguage(language: string, folder: string) {
  const isTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language)
  if (isTag && Intl.PluralRules.supportedLocalesOf([language]).length > 0) return language
  throw new E_LANGUAGE_FILE([join(folder, language), '', 'not a language such as pt or pt-BR'])
}
