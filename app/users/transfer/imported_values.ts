import { isDisplayName, truncated } from '#users/display_name'

export function text(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** At most a hundred characters. */
export function displayName(value: unknown) {
  const name = text(value)
  return name && truncated(name)
}

export function isShown(value: unknown) {
  return isDisplayName(text(value) ?? '')
}

/** Milliseconds since the epoch, from such a number or from ISO 8601. */
export function timestamp(value: unknown) {
  const written = String(value ?? '')
  const milliseconds = /^\d{10,14}$/.test(written) ? Number(written) : Date.parse(written)
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null
}
