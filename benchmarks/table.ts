import type { Ratio } from './statistics.ts'
import type { Count } from './statements.ts'

export const round = (value: number, digits = 0) => value.toFixed(digits)

/** Returns the lines of a Markdown table. */
export function table(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ]
}

export const range = (ratio: Ratio | null) =>
  ratio ? `${round(ratio.median, 2)} (${round(ratio.lowest, 2)}–${round(ratio.highest, 2)})` : ''

export function formatCount(count: Count | undefined) {
  if (!count) return ''
  const { postgres, redis } = count
  return redis ? `${round(postgres, 1)} + ${round(redis, 1)}` : round(postgres, 1)
}
