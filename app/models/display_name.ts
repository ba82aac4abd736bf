import limits from '#config/limits'

/*
 | An attacker could imitate a name with invisible characters. Joiners are allowed where they have a
 | visible effect (RFC 5892, appendix A).
 */

/** Variation selectors, where they choose the look of the character before them. */
const VARIATION = [
  '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]',
  '(?<=[\\p{Sm}\\p{Script=Han}\\p{Script=Mongolian}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])\\p{Variation_Selector}',
].join('|')

/** Control, format and blank characters, halves of one, and selectors that choose nothing. */
const INVISIBLE = new RegExp(
  `(?![\\u200C\\u200D]|${VARIATION})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]`,
  'gu'
)

/** Indic signs that omit a vowel; a joiner after one may also end a word. */
const VIRAMA = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA'

const BETWEEN_LETTERS = '(?<=[\\p{L}\\p{M}])[\\u200C\\u200D](?=[\\p{L}\\p{M}])'
const AFTER_VIRAMA = `(?<=[${VIRAMA}])[\\u200C\\u200D](?![\\u200C\\u200D])`
const BETWEEN_EMOJI =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})'

/** A joiner without an effect; the first alternatives consume the others. */
const JOINER = new RegExp(
  `${BETWEEN_LETTERS}|${AFTER_VIRAMA}|${BETWEEN_EMOJI}|([\\u200C\\u200D])`,
  'gu'
)

export function isDisplayName(name: string) {
  return withoutInvisible(name) === name
}

export function toDisplayName(name: string) {
  return withoutInvisible(truncated(withoutInvisible(name).trim()))
}

/** Cuts between code points, so that no character is broken. */
export function truncated(name: string) {
  return [...name].slice(0, limits.displayName).join('')
}

function withoutInvisible(name: string) {
  return name
    .replace(INVISIBLE, '')
    .replace(JOINER, (joiner, misplaced?: string) => (misplaced ? '' : joiner))
}
