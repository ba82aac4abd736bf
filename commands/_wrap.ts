import stringWidth from 'string-width'
import { cliHelpers } from '@adonisjs/core/ace'

/** The columns of the terminal; 80 if the output goes elsewhere. */
export const TERMINAL_WIDTH = cliHelpers.TERMINAL_SIZE

interface Indents {
  first?: string
  rest?: string
  /** The end of each line except the last. */
  continued?: string
}

/** Returns lines of at most `width` columns, except where a single word is longer. */
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

/** Chinese, Japanese and Korean characters take two columns, combining characters take none. */
export function columnsOf(text: string) {
  return stringWidth(text)
}
