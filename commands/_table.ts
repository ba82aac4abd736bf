import { terminalLine } from '#exceptions/terminal_text'
import { columnsOf } from './_wrap.ts'

export interface Column {
  name: string
  title: string
  /** The maximum width in columns of the terminal; longer values wrap. */
  width: number
}

/** Control characters in a user name could move the cursor and rewrite what the operator reads. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return terminalLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

export function formatRecord(record: Record<string, unknown>) {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}\n`)
    .join('')
}

/** Returns a table. Columns are as wide as their values, up to a limit; longer values wrap. */
export function formatTable(records: Record<string, unknown>[], columns: Column[]) {
  const rows = records.flatMap((record) =>
    linesOf(columns.map(({ name, width }) => wrapCell(formatValue(record[name]), width)))
  )
  const titles = columns.map(({ title }) => title)
  const widths = columns.map((_, at) =>
    Math.max(...[titles, ...rows].map((row) => columnsOf(row[at])))
  )
  const rule = widths.map((width) => '─'.repeat(width))
  return [titles, rule, ...rows].map((row) => `${formatRow(row, widths)}\n`).join('')
}

function linesOf(cells: string[][]) {
  const count = Math.max(...cells.map(({ length: lines }) => lines))
  return Array.from({ length: count }, (_, at) => cells.map((lines) => lines[at] ?? ''))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Ends a line at a blank, or after a mark within an address or an action, if there is one. */
function wrapCell(value: string, width: number): string[] {
  if (columnsOf(value) <= width) return [value]
  const characters = Array.from(graphemes.segment(value), ({ segment }) => segment)
  const first = firstWithin(characters, width)
  const mark = first.findLastIndex((character) => ' .@_-,'.includes(character))
  const isWhole = characters[first.length] === ' ' || mark < first.length / 3
  const end = isWhole ? first.length : mark + 1
  const rest = characters.slice(end).join('').trimStart()
  return [first.slice(0, end).join('').trimEnd(), ...wrapCell(rest, width)]
}

/** Returns at least one character, however wide it is. */
function firstWithin(characters: string[], width: number) {
  let columns = 0
  const end = characters.findIndex((character) => (columns += columnsOf(character)) > width)
  return characters.slice(0, Math.max(end, 1))
}

function formatRow(cells: string[], widths: number[]) {
  return cells
    .map((cell, at) => cell + ' '.repeat(widths[at] - columnsOf(cell)))
    .join('  ')
    .trimEnd()
}
