import type { Restriction } from '#processes/upgrade'
import type { ClientSettings } from './client.ts'

/** What keeps users or requests out, by field. */
const RESTRICTS: Record<Restriction, (settings: ClientSettings) => boolean> = {
  access: ({ access }) => access === 'groups',
  requireDpop: ({ requireDpop }) => requireDpop,
  requireMfa: ({ requireMfa }) => requireMfa,
  requirePar: ({ requirePar }) => requirePar,
  requireVerifiedEmail: ({ requireVerifiedEmail }) => requireVerifiedEmail,
}

/** The fields that restrict a client from now on. */
export function addedRestrictions(before: ClientSettings, after: ClientSettings) {
  const fields = Object.keys(RESTRICTS) as Restriction[]
  return fields.filter((field) => RESTRICTS[field](after) && !RESTRICTS[field](before))
}
