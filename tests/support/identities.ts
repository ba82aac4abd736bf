import { randomUUID } from 'node:crypto'
import Identity from '#models/identity'
import { linkIdentity } from '#users/identities'
import { someEmail } from './users.ts'
import type { ExternalIdentity } from '#auth/external/provider'

const ISSUER = process.env.OIDC_HOSTILE_ISSUER!

/** Returns an identity as a provider of the tests confirms it. */
function someIdentity(): ExternalIdentity {
  const names = { provider: 'hostile', issuer: ISSUER, subject: randomUUID(), email: someEmail() }
  return { ...names, emailVerified: true, name: null, picture: null, authenticatedAt: null }
}

/** Links one more identity, as a browser does when it comes back from the provider. */
export function linkOneMore(target: { userId: string; sessionId: string }) {
  return linkIdentity(target, someIdentity(), { ip: '198.51.100.7', userAgent: null })
}

export async function giveIdentities({ id: userId }: { id: string }, count: number) {
  const rows = Array.from({ length: count }, () => {
    const { provider, issuer, subject } = someIdentity()
    return { userId, provider, issuer, subject }
  })
  await Identity.createMany(rows)
}
