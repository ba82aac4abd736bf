import { isDisplayName, truncated } from '#models/display_name'
import { mergeMetadata, type MetadataField } from '#models/metadata'
import { UnreadableRow } from './unreadable_row.ts'
import type { ImportedUser } from './formats.ts'

export function text(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

export function displayName(value: unknown) {
  const name = text(value)
  return name && truncated(name)
}

export function isShown(value: unknown) {
  return isDisplayName(text(value) ?? '')
}

/** @returns milliseconds since the epoch, from such a number or from ISO 8601 */
export function timestamp(value: unknown) {
  const written = String(value ?? '')
  const milliseconds = /^\d{10,14}$/.test(written) ? Number(written) : Date.parse(written)
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null
}

/** A language tag (RFC 5646), as browsers send it. */
export function localeOf(value: unknown) {
  const tag = text(value)
  return tag && /^[a-z]{2,8}(-[a-z\d]{1,8}){0,3}$/i.test(tag) ? tag : null
}

export function reasonOf(value: unknown) {
  const reason = text(value)?.replaceAll(/\p{Cc}+/gu, ' ')
  return reason ? [...reason].slice(0, 500).join('') : null
}

/** Returns the JSON to store, from an object or, in CSV, from its JSON. @throws UnreadableRow */
export function metadataOf(field: MetadataField, { [field]: given }: ImportedUser) {
  if (given === undefined || given === null || given === '') return null
  try {
    return mergeMetadata(field, null, typeof given === 'string' ? JSON.parse(given) : given)
  } catch {
    const reason = 'is no JSON object, or too long or deep, or has a key that is refused'
    throw new UnreadableRow(reason, field)
  }
}
