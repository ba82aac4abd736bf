import { isClaimName, parseSource, type ClaimSources } from '#auth/claims/claim_sources'
import limits from '../../../config/limits/sizes.ts'
import { list, type Rule } from './rules.ts'

/** Claims of our own access tokens that `isClaimName` does not refuse. */
const OWN_NAMES = ['role', 'claims_hash']

const SOURCES =
  'id, email, username, nickname, role, groups, groups:<prefix>, appMetadata.<path> or =<text>'

/** Characters of an entry that an error shows. They are not secret: users see them in tokens. */
const SHOWN = 80

/** `name:source,…`; a name may contain a colon, as URLs do. */
export function tokenClaims(): Rule<ClaimSources> {
  return (name, value) => {
    const entries = list()(name, value)
    if (entries.length > limits.clientClaims)
      throw new Error(`${name} has ${entries.length} entries: keep at most ${limits.clientClaims}`)
    const claims = new Map<string, string>()
    for (const entry of entries) {
      const { claim, source } = split(entry)
      const error = errorOf(claim, source) ?? (claims.has(claim) ? TWICE : null)
      if (error) throw new Error(`${name} has the entry "${shown(entry)}", ${error}`)
      claims.set(claim, source!)
    }
    return Object.fromEntries(claims)
  }
}

/** Splits at the first colon that is followed by a valid source. */
function split(entry: string) {
  for (let at = entry.indexOf(':'); at >= 0; at = entry.indexOf(':', at + 1)) {
    const source = entry.slice(at + 1).trim()
    if (parseSource(source)) return { claim: entry.slice(0, at).trim(), source }
  }
  return { claim: entry.split(':')[0].trim(), source: null }
}

const TWICE = 'whose claim another entry has too: remove one'

function errorOf(claim: string, source: string | null) {
  if (source === null) return `which names no source: write name:source with ${SOURCES}`
  if (OWN_NAMES.includes(claim) || !isClaimName(claim))
    return 'whose claim may not be set: take a name of printable ASCII that no token has'
  if (source.length > limits.claimSource)
    return `whose source is too long: keep it to ${limits.claimSource} characters`
  return null
}

function shown(entry: string) {
  return entry.length > SHOWN ? `${entry.slice(0, SHOWN)}…` : entry
}
