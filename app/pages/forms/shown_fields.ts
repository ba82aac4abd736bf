/** What the page of a form showed at first, by the hidden field `shown`. */
export function shownFields(shown: unknown): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(shown ?? '{}')))
  } catch {
    return {}
  }
}
