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

/** The same JSON for every parser. */
export function terminalJson(value: unknown, indent?: number) {
  const lines = JSON.stringify(value, null, indent).split('\n')
  return lines.map((line) => line.replaceAll(UNSEEN, escape)).join('\n')
}

function escape(character: string) {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}
