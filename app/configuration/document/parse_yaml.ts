import limits from '#config/limits'
import type { Document, LineCounter, Node, Pair, Range, YAMLError } from 'yaml'
import type { Position } from './file_error.ts'

/*
 | Converts YAML to values, with the position of each. The library's own conversion would lose
 | positions, and its messages may repeat contents of the file.
 */

export interface YamlError extends Position {
  field: string
  message: string
}

export interface ParsedYaml {
  value: unknown
  errors: YamlError[]
  /** @param field such as `clients.0.name`; a missing field has the position of its parent */
  positionOf: (field: string) => Position
}

export async function parseYaml(text: string): Promise<ParsedYaml> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = parseDocument(yaml, text, lines)
  if (!document) return unreadable(NESTED)
  const syntax = [...document.errors, ...document.warnings]
  if (syntax.length > 0) {
    const errors = syntax.map((error) => syntaxError(error, lines))
    return { value: null, errors, positionOf: () => START }
  }
  return new Conversion(yaml, lines).convert(document)
}

const START: Position = { line: 1, column: 1 }

const NESTED = `The file is nested too deep: ${limits.configurationDepth} levels are enough`

function unreadable(message: string): ParsedYaml {
  return { value: null, errors: [{ ...START, field: '', message }], positionOf: () => START }
}

type Yaml = typeof import('yaml')

const OPTIONS = {
  prettyErrors: false,
  /** True would compare each key with every other key of its map; `Conversion` does not. */
  uniqueKeys: false,
  stringKeys: true,
  schema: 'core',
  logLevel: 'error',
} as const

/** Returns null for a text that is nested deeper than the library can recurse. */
function parseDocument({ parseDocument: parse }: Yaml, text: string, lineCounter: LineCounter) {
  try {
    return parse(text, { ...OPTIONS, lineCounter })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const SYNTAX: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab indents this line: use blanks',
  BAD_INDENT: 'The indentation of this line fits nothing above it',
  MISSING_CHAR: 'A quote, a bracket, a comma or a colon is missing',
  BLOCK_AS_IMPLICIT_KEY: 'A value with “: ” in it needs quotes',
  MULTIPLE_DOCS: 'The file has several documents: write one file for each',
  NON_STRING_KEY: 'The name of a field must be text',
  TAG_RESOLVE_FAILED: 'Tags such as !name are not known: remove it',
  BAD_DQ_ESCAPE: 'This escape is not known: use single quotes',
}

function syntaxError({ code, pos }: YAMLError, lines: LineCounter): YamlError {
  const message = SYNTAX[code] ?? 'This is not valid YAML'
  return { ...positionAt(pos[0], lines), field: '', message }
}

function positionAt(offset: number, lines: LineCounter): Position {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** These names would collide with members of `Object.prototype`. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const REPEATED = 'The field is there twice: remove one of them'

/** Positions are kept by their whole path. A longer path has the position of its parent. */
const LONGEST_FIELD = 500

class StopConversion extends Error {}

class Conversion {
  readonly #positions = new Map<string, Position>()
  readonly #anchors = new Map<string, Node>()
  readonly #errors: YamlError[] = []
  #nodes = 0

  constructor(
    private yaml: Yaml,
    private lines: LineCounter
  ) {}

  convert({ contents }: Document): ParsedYaml {
    let value: unknown = null
    try {
      value = this.#valueOf(contents as Node | null, [])
    } catch (error) {
      if (!(error instanceof StopConversion)) throw error
    }
    const positionOf = (field: string) => this.#positionOf(field)
    return { value, errors: this.#errors, positionOf }
  }

  /** An alias that contains itself would never end, so an anchor is known only after its node. */
  #valueOf(node: Node | null, path: string[]): unknown {
    if (node === null) return null
    this.#note(path, node.range)
    if (++this.#nodes > limits.configurationNodes)
      throw this.#stop(`The file has more than ${limits.configurationNodes} values`)
    if (path.length > limits.configurationDepth) throw this.#stop(NESTED)
    if (this.yaml.isAlias(node)) return this.#resolve(node.source, path)
    const value = this.#convert(node, path)
    if ('anchor' in node && node.anchor) this.#anchors.set(node.anchor, node)
    return value
  }

  #convert(node: Node, path: string[]) {
    if (this.yaml.isMap(node)) return this.#mapOf(node.items as Pair<Node, Node | null>[], path)
    if (this.yaml.isSeq(node))
      return node.items.map((item, at) => this.#valueOf(item as Node | null, [...path, `${at}`]))
    return this.yaml.isScalar(node) ? node.value : null
  }

  #resolve(name: string, path: string[]) {
    const node = this.#anchors.get(name)
    if (node) return this.#valueOf(node, path)
    return this.#reject(path, 'The alias stands for nothing above it')
  }

  #mapOf(items: Pair<Node, Node | null>[], path: string[]) {
    const value: Record<string, unknown> = {}
    for (const { key, value: node } of items) {
      const name = String(this.yaml.isScalar(key) ? key.value : '')
      if (name.length > limits.configurationKey) throw this.#longKey(path, key.range)
      const own = [...path, name]
      this.#note(own, key.range)
      if (FORBIDDEN.has(name)) this.#reject(own, 'No field may have this name')
      else if (Object.hasOwn(value, name)) this.#reject(own, REPEATED, key.range)
      else value[name] = this.#valueOf(node, own)
    }
    return value
  }

  #note(path: string[], range?: Range | null) {
    const field = path.join('.')
    if (range && field.length <= LONGEST_FIELD && !this.#positions.has(field))
      this.#positions.set(field, positionAt(range[0], this.lines))
  }

  /** @param range of a name, if the path does not give its position */
  #reject(path: string[], message: string, range?: Range | null): null {
    const field = path.join('.')
    const position = range ? positionAt(range[0], this.lines) : this.#positionOf(field)
    this.#errors.push({ ...position, field, message })
    return null
  }

  #longKey(path: string[], range?: Range | null) {
    return this.#stop(
      `The name of a field has at most ${limits.configurationKey} characters`,
      path,
      range
    )
  }

  #stop(message: string, path: string[] = [], range?: Range | null) {
    this.#reject(path, message, range)
    return new StopConversion()
  }

  #positionOf(field: string): Position {
    const parts = field.split('.')
    while (parts.length > 0) {
      const position = this.#positions.get(parts.join('.'))
      if (position) return position
      parts.pop()
    }
    return this.#positions.get('') ?? START
  }
}
