import { createHash } from 'node:crypto'
import tokens from '#config/tokens'
import { parseMetadata } from '#models/metadata'
import { parseSource, valueOf, type ClaimSource, type ClaimSubject } from './claim_sources.ts'
import type User from '#models/user'

/** The data of a user that `TOKEN_CLAIMS` reads. */
export interface ClaimInputs {
  user: Omit<ClaimSubject, 'groups'> & Pick<User, 'groupIds'>
  /** Null if no claim reads a value that can change. */
  hash: string | null
}

/** Returns null if `TOKEN_CLAIMS` is not set. */
export function claimInputsOf(user: User): ClaimInputs | null {
  if (Object.keys(tokens.claims).length === 0) return null
  const { id, mailbox: email, username, nickname, role, groupIds } = user
  const appMetadata = parseMetadata(user.appMetadata)
  const read = { id, email, username, nickname, role, groupIds, appMetadata }
  return { user: read, hash: hashOf(read) }
}

/** Hashes the ids of groups, so that a rename does not void the tokens of the members. */
function hashOf({ groupIds, ...user }: ClaimInputs['user']) {
  const ids = groupIds?.split(' ').toSorted() ?? []
  const inputs = changingSources().map(([text, source]) => {
    const value = source.type === 'groups' ? ids : valueOf(source, { ...user, groups: [] })
    return [text, value ?? null]
  })
  if (inputs.length === 0) return null
  return createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 22)
}

function changingSources() {
  const texts = [...new Set(Object.values(tokens.claims))].toSorted()
  const sources = texts.map((text) => [text, parseSource(text)!] as const)
  return sources.filter(([, source]) => canChange(source))
}

function canChange(source: ClaimSource) {
  return source.type !== 'text' && !(source.type === 'field' && source.field === 'id')
}
