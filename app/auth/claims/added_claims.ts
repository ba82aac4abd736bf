import logger from '@adonisjs/core/services/logger'
import tokens from '#config/tokens'
import { readsGroups } from './claim_sources.ts'
import { readClaims } from './read_claims.ts'
import type { ClaimInputs } from './claim_inputs.ts'
import type User from '#models/user'

type ReadNames = (user: Pick<User, 'groupIds'>) => Promise<string[]>

let readNames: ReadNames = async () => []

/** Groups stand above authentication, and say their names here. */
export function setGroupNames(read: ReadNames) {
  readNames = read
}

/**
 * What `TOKEN_CLAIMS` adds to an access token, and the hash of what they were read from.
 * @param role of the session, which may have proved too little for the role of the user
 */
export async function addedClaims({ user, hash }: ClaimInputs, role: string) {
  const groups = readsGroups(tokens.claims) ? await readNames(user) : []
  const subject = { ...user, role, groups }
  const { claims, omitted } = readClaims(tokens.claims, subject, tokens.claimBytes)
  for (const claim of omitted) warn(claim)
  return hash === null ? claims : { ...claims, claims_hash: hash }
}

const WARNING_PAUSE_MS = 60_000

const warned = new Map<string, number>()

/** A line a minute for each claim: every refresh of the user would write one. */
function warn(claim: string) {
  const now = Date.now()
  if (now - (warned.get(claim) ?? -Infinity) < WARNING_PAUSE_MS) return
  warned.set(claim, now)
  logger.warn({ claim }, 'a claim of TOKEN_CLAIMS was too long and was left out of a token')
}
