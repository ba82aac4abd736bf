/** Returns the values that the page showed at first, from the hidden field `asSentence`. */
export function shownFields(shown: unknown): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(shown ?? '{}')))
  } catch {
    return {}
  }
}
