import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'resources/lang'

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** Returns every message of a language by its key, such as `common.copy`. */
export function messagesIn(language: Language) {
  const messages = new Map<string, string>()
  for (const file of readdirSync(join(FOLDER, language))) {
    const contents = JSON.parse(readFileSync(join(FOLDER, language, file), 'utf8'))
    flatten(contents, file.replace('.json', ''), messages)
  }
  return messages
}

function flatten(value: unknown, key: string, messages: Map<string, string>) {
  if (typeof value === 'string') return messages.set(key, value)
  for (const [name, inner] of Object.entries(value as object)) {
    flatten(inner, `${key}.${name}`, messages)
  }
}

const SOURCES = ['app', 'config', 'start', 'resources/views', 'resources/js']

/** Returns the sources of the product, which use the keys. */
export function readSources() {
  return SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|edge|js)$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
  ).join('\n')
}
