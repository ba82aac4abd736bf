import { createInterface } from 'node:readline'
import { pipeline, type Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { UnreadableRow } from './unreadable_row.ts'
import type { ForeignRow } from './exported_hashes.ts'

export const FORMATS = ['csv', 'json', 'ndjson'] as const
export type Format = (typeof FORMATS)[number]

export interface ReadRow {
  line: number
  row: ForeignRow | UnreadableRow
}

/** Streams the rows, because an import may exceed the memory. */
export function readRows(source: Readable, format: Format): AsyncGenerator<ReadRow> {
  if (format === 'csv') return readCsv(source)
  return format === 'ndjson' ? readNdjson(source) : readJson(source)
}

/** A failure also destroys the last stream of a pipeline, and its reader throws the error. */
const ignoreError = () => {}

async function* readCsv(source: Readable): AsyncGenerator<ReadRow> {
  const options = { columns: true, bom: true, info: true, relax_column_count: true, trim: true }
  const rows = pipeline(source, parse(options), ignoreError)
  try {
    for await (const { record, info } of rows)
      yield { line: info.lines, row: withoutBlanks(record) }
  } catch (error) {
    throw unreadable(error, `line ${error.lines}: ${csvReason(error.code)}`)
  }
}

function csvReason(code = '') {
  return code.includes('QUOTE') ? 'its quotes do not match' : 'is no CSV'
}

export class UnreadableFile extends Error {}

/** Errors of the file system have their own code and no line. */
function unreadable(error: NodeJS.ErrnoException, where: string) {
  return new UnreadableFile(error.syscall ? `cannot be read (${error.code})` : where)
}

/** Exports write `'` before a cell that a spreadsheet would run as a formula (CSV injection). */
const FORMULA_GUARD = /^'(?='*[=+\-@\t\r])/

/** Leaves out empty cells, so that they get the default of their column. */
function withoutBlanks(record: Record<string, string>): ForeignRow {
  const cells = Object.entries(record).filter(([, value]) => value !== '')
  return Object.fromEntries(cells.map(([name, value]) => [name, value.replace(FORMULA_GUARD, '')]))
}

async function* readNdjson(source: Readable): AsyncGenerator<ReadRow> {
  let line = 0
  for await (const text of createInterface({ input: source, crlfDelay: Infinity })) {
    line++
    if (text.trim() !== '') yield { line, row: parseLine(text) }
  }
}

function parseLine(text: string): ForeignRow | UnreadableRow {
  try {
    return asRow(JSON.parse(text))
  } catch {
    return new UnreadableRow('is no JSON')
  }
}

function asRow(value: unknown): ForeignRow | UnreadableRow {
  const isObject = value !== null && typeof value === 'object'
  return isObject ? (value as ForeignRow) : new UnreadableRow('is no object')
}

/** Reads an array of users, or an object with one, such as `users` of Firebase and Keycloak. */
async function* readJson(source: Readable): AsyncGenerator<ReadRow> {
  const { default: pick } = await import('stream-json/filters/pick.js')
  const { default: streamArray } = await import('stream-json/streamers/stream-array.js')
  const { default: parser } = await import('stream-json')
  const [first, whole] = await peek(source)
  const reader = first === '{' ? pick.withParserAsStream({ filter: 'users' }) : parser()
  const stream = pipeline(whole, reader, streamArray.asStream(), ignoreError)
  let rows = 0
  try {
    for await (const { key, value } of stream) yield { line: (rows = key + 1), row: asRow(value) }
  } catch (error) {
    throw unreadable(error, `row ${rows + 1}: is no JSON`)
  }
}

/** @returns the first character that is not blank, and the stream including it */
async function peek(source: Readable): Promise<[string, Readable]> {
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    const first = String(chunk).trim()[0]
    source.unshift(chunk)
    if (first) return [first, source]
  }
  return ['', source]
}
