import settings from '#config/oidc'
import { findClient } from './client_rows.ts'
import { isPublic } from './client.ts'
import { isSecretOf } from './secrets.ts'

/** What a confidential client presents (RFC 6749, section 2.3.1). */
export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** The credentials of a `Basic` header; null for any other. */
export function parseBasic(authorization = ''): ClientCredentials | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? []
  if (!encoded) return null
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    return { clientId: decodeForm(id), clientSecret: decodeForm(secret.join(':')) }
  } catch {
    return null
  }
}

/** Both parts are encoded as in a form. */
function decodeForm(part: string) {
  return decodeURIComponent(part.replaceAll('+', '%20'))
}

/** The client, if it has a secret and this is it. */
export async function findAuthenticClient({ clientId, clientSecret }: ClientCredentials) {
  const client = settings.isOn && clientId.length <= 255 ? await findClient(clientId) : null
  if (!client || isPublic(client) || !isSecretOf(client, clientSecret)) return null
  return client
}
