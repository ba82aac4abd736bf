import { v7 as uuidv7 } from 'uuid'
import { isTrue } from './formats.ts'

export interface Identity {
  id: string
  provider: string
  issuer: string
  subject: string
  linked_by_owner: boolean
  created_at: number
  last_used_at: number
}

/** @param given a list or its JSON; incomplete identities match no sign-in and are dropped */
export function identitiesOf(given: unknown): Identity[] {
  const list = typeof given === 'string' ? JSON.parse(given) : (given ?? [])
  const now = Date.now()
  return list.filter(isComplete).map(({ provider, issuer, subject, linkedByOwner }: any) => ({
    id: uuidv7(),
    provider,
    issuer,
    subject,
    linked_by_owner: isTrue(linkedByOwner),
    created_at: now,
    last_used_at: now,
  }))
}

export function firstIdentity([first]: Identity[]) {
  return { provider: first?.provider ?? null, provider_id: first?.subject ?? null }
}

/** Column lengths: Postgres refuses longer values, and SQLite does not cut them. */
function isComplete({ provider, issuer, subject }: any) {
  return isName(provider, 64) && isName(issuer, 255) && isName(subject, 255)
}

function isName(text: unknown, limit: number) {
  return typeof text === 'string' && /^\P{Cc}+$/u.test(text) && text.length <= limit
}
