import { linesOf, type Line, type Measured } from './report.ts'
import type { OperationName } from './contestants.ts'

const WIDTH = 860
const LABEL = 250
const BAR = 22
const COLOURS = { product: '#2f6f4f', baseline: '#8a8f98', peer: '#c4873b' }

const escape = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Bars of one operation, the longest over the whole width, each with its rate. */
function panel(measured: Measured, operation: OperationName, top: number) {
  const lines = linesOf(measured, operation)
  const most = Math.max(...lines.map(({ rate }) => rate), 1)
  const bars = lines.map((line, index) => bar(line, most, top + 34 + index * BAR))
  return [
    `<text x="16" y="${top + 20}" font-weight="600">${operation}, per second</text>`,
    ...bars,
  ].join('\n')
}

function bar({ entrant, rate }: Line, most: number, y: number) {
  const width = Math.max(1, (rate / most) * (WIDTH - LABEL - 90))
  return `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${escape(entrant.title)}</text>
<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="16" rx="2" fill="${COLOURS[entrant.role]}"/>
<text x="${LABEL + width + 6}" y="${y + 12}">${Math.round(rate).toLocaleString('en-GB')}</text>`
}

export function plot(measured: Measured) {
  const operations = Object.keys(measured.rounds) as OperationName[]
  let top = 0
  const panels = operations.map((operation) => {
    const drawn = panel(measured, operation, top)
    top += 50 + linesOf(measured, operation).length * BAR
    return drawn
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Requests per second of Gatehouse and its peers">
<rect width="100%" height="100%" fill="#ffffff"/>
<g fill="#1c2430">
${panels.join('\n')}
</g>
</svg>
`
}
