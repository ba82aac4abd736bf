import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { E_LANGUAGE_FILE } from './errors.ts'
import { argumentsOf } from './message_arguments.ts'
import type { Source, Messages } from './operator_messages.ts'

const MAX_FILE_BYTES = 512 * 1024

const MAX_MESSAGE_LENGTH = 5_000

interface Message {
  file: string
  text: string
}

export function readLanguage(folder: string) {
  const messages = new Map<string, Message>()
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const file = join(folder, name)
    flatten(parse(file), name.slice(0, -'.json'.length), (key, value) => {
      messages.set(key, { file, text: assertText(file, key, value) })
    })
  }
  return messages
}

function parse(file: string): unknown {
  if (statSync(file).size > MAX_FILE_BYTES) {
    throw new E_LANGUAGE_FILE([file, '', `larger than ${MAX_FILE_BYTES / 1024} KB`])
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new E_LANGUAGE_FILE([file, '', error.message])
  }
}

function flatten(value: unknown, key: string, take: (key: string, value: unknown) => void) {
  if (typeof value !== 'object' || value === null) return take(key, value)
  for (const [name, inner] of Object.entries(value)) flatten(inner, `${key}.${name}`, take)
}

function assertText(file: string, key: string, value: unknown) {
  if (typeof value === 'string' && value.length <= MAX_MESSAGE_LENGTH) return value
  const reason = typeof value === 'string' ? 'longer than 5000 characters' : 'not a text'
  throw new E_LANGUAGE_FILE([file, key, reason])
}

/** A key that the product no longer has is ignored: an upgrade must not prevent the start. */
export function known(
  messages: Map<string, Message>,
  originals: Map<string, Message>,
  logger: Source['logger']
) {
  const texts: Messages = {}
  for (const [key, { file, text }] of messages) {
    const original = originals.get(key)
    if (!original) {
      logger.warn({ file, key }, 'a language file has a key that no page or mail uses')
      continue
    }
    assertArguments({ file, key, text }, original.text)
    texts[key] = text
  }
  return texts
}

function assertArguments({ file, key, text }: Message & { key: string }, original: string) {
  const names = argumentsOf(original)
  const given = [...readArguments(file, key, text)]
  const unknown = given.find((name) => !names.has(name))
  if (unknown) throw new E_LANGUAGE_FILE([file, key, `no value is called {${unknown}}`])
}

function readArguments(file: string, key: string, text: string) {
  try {
    return argumentsOf(text)
  } catch (error) {
    throw new E_LANGUAGE_FILE([file, key, error.message])
  }
}
