import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'

/*
 | Two JSON objects of a user: `metadata` is written by the user and administrators, `appMetadata`
 | only by administrators. A change is a merge patch (RFC 7396).
 */

export type Metadata = Record<string, unknown>

export const METADATA_FIELDS = ['metadata', 'appMetadata'] as const
export type MetadataField = (typeof METADATA_FIELDS)[number]

/** A program that merges these keys into an object of its own changes all its objects. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** @param text the column, which is null while the object is empty */
export function parseMetadata(text: string | null | undefined): Metadata {
  return text ? JSON.parse(text) : {}
}

/** @throws E_VALIDATION_ERROR on the field */
export function mergeMetadata(field: MetadataField, text: string | null, patch: unknown) {
  if (!isObject(patch)) throw invalid(field, 'object', 'must be a JSON object')
  assertStorable(field, patch)
  const merged = JSON.stringify(mergePatch(parseMetadata(text), patch))
  if (Buffer.byteLength(merged) > limits.metadataBytes) {
    throw invalid(field, 'maxBytes', `must have at most ${limits.metadataBytes} bytes of JSON`)
  }
  return merged === '{}' ? null : merged
}

function invalid(field: MetadataField, rule: string, what: string) {
  return invalidField(field, rule, `The ${field} field ${what}`)
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A merged object is no deeper than its deepest part. */
function assertStorable(field: MetadataField, value: unknown, depth = 1) {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalid(field, 'number', 'must have numbers that JSON can write')
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.metadataDepth) {
    const most = `at most ${limits.metadataDepth} objects or lists in one another`
    throw invalid(field, 'depth', `must have ${most}`)
  }
  for (const [key, inner] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.has(key)) throw invalid(field, 'key', `must not have the key ${key}`)
    assertStorable(field, inner, depth + 1)
  }
}

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
