import settings from '#config/oidc'
import { isPublic } from './client.ts'
import { findRememberedClient } from './remembered_clients.ts'
import { isRecent } from './client_addresses.ts'
import { findQuickEvidence, findSecretEvidence } from './secret_evidence.ts'
import { isSecretOf } from './secrets.ts'
import { isTrustedAddress, verifySecret } from './verify_secret.ts'
import type { RequestSource } from '#auth/sessions/device'

export interface ClientCredentials {
  clientId: string
  /** The secret as decoded and as sent: some libraries do not encode a `Basic` header. */
  candidates: string[]
}

export function parseBasic(authorization = ''): ClientCredentials | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? []
  if (!encoded) return null
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const secret = rest.join(':')
  return { clientId: decodeForm(id), candidates: [decodeForm(secret), secret] }
}

function decodeForm(part: string) {
  try {
    return decodeURIComponent(part.replaceAll('+', '%20'))
  } catch {
    return part
  }
}

/** @throws E_TOO_MANY_REQUESTS */
export async function findAuthenticClient(
  { clientId, candidates }: ClientCredentials,
  from: RequestSource
) {
  if (!settings.isOn) return null
  const { evidence } = await findSecretEvidence({ clientId, ip: from.ip })
  const found = await findRememberedClient(clientId)
  const client = found && !isPublic(found) ? found : null
  const secretOf = client && { clientId: client.clientId, secrets: client }
  return (await verifySecret({ client: secretOf, candidates, from, evidence })) ? client : null
}

/**
 * For work `underOneConfiguration`. Finds a client whose secret is right beyond doubt, and writes
 * and counts nothing. If it returns null, `findAuthenticClient` handles the request.
 */
export async function findQuickClient({ clientId, candidates }: ClientCredentials, ip: string) {
  const evidence = settings.isOn ? await findQuickEvidence({ clientId, ip }) : null
  if (!evidence || !isRecent(evidence.last ?? 0)) return null
  const client = await findRememberedClient(clientId)
  if (!client || isPublic(client) || !isTrustedAddress(evidence)) return null
  return candidates.some((secret) => isSecretOf(client, secret)) ? client : null
}
