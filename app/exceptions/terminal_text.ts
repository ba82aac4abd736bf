/** A terminal obeys some of these characters, and others reverse the shown text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns one line for a terminal from a text that somebody else may have written. */
export function terminalLine(text: string) {
  return text.replaceAll(UNSEEN, '�')
}

/** Does the same for a text of several lines. */
export function terminalText(text: string) {
  return text.split('\n').map(terminalLine).join('\n')
}

/** Escapes such characters, so that every parser reads the same JSON. */
export function terminalJson(value: unknown, indent?: number) {
  const lines = JSON.stringify(value, null, indent).split('\n')
  return lines.map((line) => line.replaceAll(UNSEEN, escape)).join('\n')
}

function escape(character: string) {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}
