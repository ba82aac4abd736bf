import logger from '@adonisjs/core/services/logger'
import tokens from '#config/tokens'
import { readsGroups } from './claim_sources.ts'
import { readClaims } from './read_claims.ts'
import type { ClaimInputs } from './claim_inputs.ts'
import type User from '#models/user'

type ReadNames = (user: Pick<User, 'groupIds'>) => Promise<string[]>

let readNames: ReadNames = async () => []

/** The groups layer depends on authentication, so it registers here how its names are read. */
export function setGroupNames(read: ReadNames) {
  readNames = read
}

/**
 * Returns the claims that `TOKEN_CLAIMS` adds to an access token, and a hash of their inputs.
 * @param role the role of the session, which may have proved too little for the user's role
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

/** Logs one line a minute for each claim: every refresh of the user would write a line. */
function warn(claim: string) {
  const now = Date.now()
  if (now - (warned.get(claim) ?? -Infinity) < WARNING_PAUSE_MS) return
  warned.set(claim, now)
  logger.warn({ claim }, 'a claim of TOKEN_CLAIMS was too long and was left out of a token')
}
