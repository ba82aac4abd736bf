import limits from '#config/limits'
import { parseSource, valueOf, type ClaimSources, type ClaimSubject } from './claim_sources.ts'

export interface ReadClaims {
  claims: Record<string, unknown>
  /** Names of the claims that are too long: a shortened list would have another meaning. */
  omitted: string[]
}

/** @param maxBytes of compact JSON */
export function readClaims(
  sources: ClaimSources,
  subject: ClaimSubject,
  maxBytes = limits.claimBytes
): ReadClaims {
  const read: ReadClaims = { claims: {}, omitted: [] }
  for (const [name, text] of Object.entries(sources)) {
    const source = parseSource(text)
    const value = source ? valueOf(source, subject) : undefined
    if (value === undefined) continue
    const claims = { ...read.claims, [name]: value }
    const isFit = isShort(value) && Buffer.byteLength(JSON.stringify(claims)) <= maxBytes
    if (isFit) read.claims = claims
    else read.omitted.push(name)
  }
  return read
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= limits.claimText
  if (typeof value !== 'object' || value === null) return true
  const inner = Object.values(value)
  return (!Array.isArray(value) || inner.length <= limits.claimList) && inner.every(isShort)
}
