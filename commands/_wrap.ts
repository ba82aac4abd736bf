import stringWidth from 'string-width'
import { cliHelpers } from '@adonisjs/core/ace'

/** Columns of the terminal; 80 where the output goes elsewhere. */
export const TERMINAL_WIDTH = cliHelpers.TERMINAL_SIZE

interface Indents {
  first?: string
  rest?: string
  /** Stands at the end of each line but the last. */
  continued?: string
}

/** Lines of at most so many columns, as far as single words fit. */
export function wrapWords(words: string[], width: number, indents: Indents = {}) {
  const { first = '', rest = first, continued = '' } = indents
  const lines = [first + (words[0] ?? '')]
  for (const word of words.slice(1)) {
    const longer = `${lines.at(-1)} ${word}`
    if (columnsOf(longer + continued) <= width) lines[lines.length - 1] = longer
    else lines.push(rest + word)
  }
  return lines.map((line, at) => (at < lines.length - 1 ? line + continued : line))
}

export function wrapText(text: string, width: number, indents?: Indents) {
  return wrapWords(text.trim().split(/\s+/), width, indents)
}

/** Chinese, Japanese and Korean characters take two, combining ones none. */
export function columnsOf(text: string) {
  return stringWidth(text)
}
