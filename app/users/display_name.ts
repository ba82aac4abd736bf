import limits from '#config/limits'

/*
 | What a name that other users see may contain. Invisible characters are refused: with them
 | an attacker could make a name look like another one. The two joiners are characters of the
 | spelling in Persian, Sinhala and Malayalam and join several emoji into one, so they are
 | allowed where they have that effect (the context rules of RFC 5892, appendix A).
 */

/** Control, format and blank characters; variation selectors belong to the character before. */
const INVISIBLE =
  /(?![\u200C\u200D]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The signs of Indic scripts that leave a vowel out; a joiner after one may also end a word. */
const VIRAMA = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA'

const BETWEEN_LETTERS = '(?<=[\\p{L}\\p{M}])[\\u200C\\u200D](?=[\\p{L}\\p{M}])'
const AFTER_VIRAMA = `(?<=[${VIRAMA}])[\\u200C\\u200D](?![\\u200C\\u200D])`
const BETWEEN_EMOJI =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})'

/** A joiner without an effect; one in its place is consumed by the first alternatives. */
const JOINER = new RegExp(
  `${BETWEEN_LETTERS}|${AFTER_VIRAMA}|${BETWEEN_EMOJI}|([\\u200C\\u200D])`,
  'gu'
)

/** Whether a name has no character that cannot be seen. */
export function isDisplayName(name: string) {
  return withoutInvisible(name) === name
}

/** A name that a provider sent, as it can be shown: without invisible characters, and cut. */
export function toDisplayName(name: string) {
  return withoutInvisible(truncated(withoutInvisible(name).trim()))
}

/** The beginning of a name, in whole code points. */
export function truncated(name: string) {
  return [...name].slice(0, limits.displayName).join('')
}

function withoutInvisible(name: string) {
  return name
    .replace(INVISIBLE, '')
    .replace(JOINER, (joiner, misplaced?: string) => (misplaced ? '' : joiner))
}
