import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import edge from 'edge.js'
import { Tokenizer } from 'edge-lexer'
import type { Token } from 'edge-lexer/types'

/* Finds texts for people that are written in a view instead of a message. */

const VIEWS = 'resources/views'
const STYLES = 'resources/css'
const css = readdirSync(STYLES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => readFileSync(join(STYLES, file), 'utf8'))
  .join('\n')
const CLASSES = new Set([...css.matchAll(/\.(-?[a-z][\w-]*)/g)].map(([, name]) => name))

const HUMAN_ATTRIBUTES = /\b(?:title|aria-label|placeholder|alt|content)\s*=\s*"([^"]*)"/g
const LITERALS = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const MEASURES = /^(width=device-width|light dark|noindex)/

/** Returns every view, including views in folders, by its path below `resources/views`. */
export function viewFiles() {
  const files = readdirSync(VIEWS, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.edge')).sort()
}

export function readView(file: string) {
  return readFileSync(join(VIEWS, file), 'utf8')
}

/** Returns the texts in a view that are not messages. */
export function textsIn(source: string, filename = 'view.edge') {
  const parts = { markup: '', code: [] as string[] }
  const tokenizer = new Tokenizer(source, edge.tags as any, { filename, claimTag })
  tokenizer.parse()
  collect(tokenizer.tokens, parts)
  return [...textsOfMarkup(parts.markup), ...parts.code.flatMap(textsOfCode)]
}

const COMPONENTS = new Set(
  readdirSync(join(VIEWS, 'components')).map((file) =>
    file.replace('.edge', '').replace(/_(.)/g, (_, letter) => letter.toUpperCase())
  )
)

/** Claims a tag that has the name of a component. */
function claimTag(name: string) {
  return COMPONENTS.has(name) ? { block: true, seekable: true } : null
}

function collect(tokens: Token[], parts: { markup: string; code: string[] }) {
  for (const token of tokens) {
    if (token.type === 'raw') parts.markup += token.value
    else if (token.type === 'newline') parts.markup += '\n'
    else if (token.type !== 'comment') {
      parts.code.push(token.properties.jsArg)
      parts.markup += '\0'
    }
    if ('children' in token) collect(token.children, parts)
  }
}

function hasLetters(text: string) {
  return /\p{L}{2}/u.test(text)
}

function textsOfMarkup(markup: string) {
  const plain = markup
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
  const attributes = [...plain.matchAll(HUMAN_ATTRIBUTES)].map(([, text]) => text)
  const nodes = plain.replace(/<[^>]*>/g, '\n').split(/\n|\0/)
  return [...nodes, ...attributes.filter((text) => !MEASURES.test(text))]
    .map((text) => text.replaceAll('\0', '').replace(/&\w+;/g, '').trim())
    .filter(hasLetters)
}

/** Returns literals that start like a sentence or contain several words, but not class names. */
function textsOfCode(code: string) {
  return [...code.matchAll(LITERALS)]
    .map(([, single, double, template]) => single ?? double ?? template)
    .filter((text) => !/^[\w.-]+(\.\$\{[^}]*\})?$/.test(text) || /^\p{Lu}\p{Ll}/u.test(text))
    .map((text) => text.replace(/\$\{[^}]*\}/g, '').trim())
    .filter((text) => hasLetters(text) && /^\p{Lu}\p{Ll}|[^\s]\s+\p{L}|^\p{Ll}+\.?$/u.test(text))
    .filter((text) => !text.split(/\s+/).every((word) => CLASSES.has(word)))
    .filter((text) => !/^(<|\/|--|#|[a-z]+:)/.test(text))
}
