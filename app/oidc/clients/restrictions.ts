import type { Restriction } from '#processes/upgrade'
import type { ClientSettings } from './client.ts'

/** Whether each field keeps users or requests out. */
const RESTRICTS: Record<Restriction, (settings: ClientSettings) => boolean> = {
  access: ({ access }) => access === 'groups',
  requireDpop: ({ requireDpop }) => requireDpop,
  requireMfa: ({ requireMfa }) => requireMfa,
  requirePar: ({ requirePar }) => requirePar,
  requireVerifiedEmail: ({ requireVerifiedEmail }) => requireVerifiedEmail,
}

/** Returns the fields that restrict a client only after the change. */
export function addedRestrictions(before: ClientSettings, after: ClientSettings) {
  const fields = Object.keys(RESTRICTS) as Restriction[]
  return fields.filter((field) => RESTRICTS[field](after) && !RESTRICTS[field](before))
}
