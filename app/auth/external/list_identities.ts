import Identity from '#models/identity'

export type IdentityRecord = Awaited<ReturnType<typeof listIdentities>>[number]

export async function listIdentities(userId: string) {
  const identities = await Identity.ofUser(userId)
  return identities.map(({ provider, issuer, subject, email, createdAt, lastUsedAt }) => ({
    provider,
    issuer,
    subject,
    email,
    linkedAt: createdAt.toUTC().toISO()!,
    lastUsedAt: lastUsedAt.toUTC().toISO()!,
  }))
}
