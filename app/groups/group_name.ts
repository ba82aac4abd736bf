import limits from '#config/limits'
import { isDisplayName } from '#models/display_name'

/* Applications compare names of groups: two that look alike must not be two groups. */

/** Surrogates, private and unassigned code points; `isDisplayName` refuses invisible ones. */
const UNPRINTABLE = /[\p{Cs}\p{Co}\p{Cn}]/u

const BLANK_END = /^\p{White_Space}|\p{White_Space}$/u

/** @returns the name in NFC, or null if no group may have it */
export function canonicalGroupName(text: string): string | null {
  if (isFarTooLong(text)) return null
  const name = text.normalize('NFC')
  const { length } = [...name]
  if (length === 0 || length > limits.groupName) return null
  return isDisplayName(name) && !UNPRINTABLE.test(name) && !BLANK_END.test(name) ? name : null
}

/** Names with a colon belong to providers: `acme:staff`. */
export function isProviderName(name: string) {
  return name.includes(':')
}

/** Normalising some texts takes quadratic time. */
function isFarTooLong(text: string) {
  return text.length > 4 * limits.groupName
}

/** The only capital whose small letter belongs to another capital (`Θ`). It is not lowercased. */
const FOREIGN_CAPITAL = 'ϴ'

const smallLetters = (text: string) =>
  text
    .split(FOREIGN_CAPITAL)
    .map((part) => part.toLowerCase())
    .join(FOREIGN_CAPITAL)

/**
 * Names with the same key are one group. Upper case first, because `ß` and `SS`, or `ſ` and `S`,
 * differ only in case. Names of providers skip it: a user may make `ſtaff` to pass for `staff`.
 */
export function groupKey(name: string) {
  /** No group has such a key. */
  if (isFarTooLong(name)) return name
  const composed = name.normalize('NFC')
  const key = isProviderName(composed)
    ? smallLetters(composed)
    : composed.toUpperCase().toLowerCase()
  return key.normalize('NFC')
}
