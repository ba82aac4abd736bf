/** A terminal obeys some of them, and others turn what it shows around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** One line for a terminal, of a text that may be somebody else's. */
export function terminalLine(text: string) {
  return text.replaceAll(UNSEEN, '�')
}

/** Keeps the ends of lines. */
export function terminalText(text: string) {
  return text.split('\n').map(terminalLine).join('\n')
}
