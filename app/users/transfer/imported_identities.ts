import { v7 as uuidv7 } from 'uuid'

/** A user at an external provider, as a row of `identities`. */
export interface Identity {
  id: string
  provider: string
  issuer: string
  subject: string
  created_at: number
  last_used_at: number
}

/**
 * The identities of an imported user: a list of provider, issuer and subject, or its JSON
 * in a cell. Incomplete ones are left out, because they cannot be matched at a sign-in.
 */
export function identitiesOf(given: unknown): Identity[] {
  const list = typeof given === 'string' ? JSON.parse(given) : (given ?? [])
  const now = Date.now()
  return list.filter(isComplete).map(({ provider, issuer, subject }: Identity) => ({
    id: uuidv7(),
    provider,
    issuer,
    subject,
    created_at: now,
    last_used_at: now,
  }))
}

/** The columns of `users` that name the first of them. */
export function firstIdentity([first]: Identity[]) {
  return { provider: first?.provider ?? null, provider_id: first?.subject ?? null }
}

/** What the columns hold: longer values would be refused by one database and cut by none. */
function isComplete({ provider, issuer, subject }: any) {
  return isName(provider, 64) && isName(issuer, 255) && isName(subject, 255)
}

function isName(text: unknown, limit: number) {
  return typeof text === 'string' && /^\P{Cc}+$/u.test(text) && text.length <= limit
}
