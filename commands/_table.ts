export interface Column {
  name: string
  title: string
  /** Characters at most; longer values are cut. */
  width: number
}

/**
 * A value as text for a terminal. Control characters are replaced: a user name could
 * otherwise move the cursor and rewrite what the operator reads.
 */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
}

/** One line for each member, its name first. */
export function formatRecord(record: Record<string, unknown>) {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}\n`)
    .join('')
}

/** A table whose columns are as wide as their values, within the limit of each. */
export function formatTable(records: Record<string, unknown>[], columns: Column[]) {
  const rows = records.map((record) =>
    columns.map(({ name, width }) => cut(formatValue(record[name]), width))
  )
  const titles = columns.map(({ title }) => title)
  const widths = columns.map((_, at) =>
    Math.max(...[titles, ...rows].map((row) => length(row[at])))
  )
  const rule = widths.map((width) => '─'.repeat(width))
  return [titles, rule, ...rows].map((row) => `${formatRow(row, widths)}\n`).join('')
}

function cut(value: string, width: number) {
  const characters = [...value]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : value
}

/** Code points, not UTF-16 units. */
function length(value: string) {
  return [...value].length
}

function formatRow(cells: string[], widths: number[]) {
  return cells
    .map((cell, at) => cell + ' '.repeat(widths[at] - length(cell)))
    .join('  ')
    .trimEnd()
}
