import { ServerResponse, type IncomingMessage } from 'node:http'
import { openGrantAtSignIn } from '#oidc/grants/new_grant'
import { oidcProvider } from '#oidc/provider/provider'
import { ownHeaders } from '#oidc/provider/own_headers'
import { readsOf } from '#oidc/request_reads'
import { rememberSource } from '#oidc/request_source'
import type User from '#models/user'
import type { RequestSource } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

interface SigningIn {
  request: IncomingMessage
  /** The authorization request that the sign-in form repeats. */
  path: string
  source: RequestSource
  browserId: string | null
}

export interface Authorized {
  /** The address of the application, with the code. */
  location: string
  /** The name of the application. */
  name: string
  /** Returns false if the client may no longer have the code. */
  store(trx: Transaction): Promise<boolean>
}

/**
 * Answers the request as the provider will after the session is stored. The session's transaction
 * also stores the grant and the code. Returns null if the answer is not a code.
 */
export async function prepareAuthorization(
  { request, path, source, browserId }: SigningIn,
  user: User,
  session: SessionRecord
): Promise<Authorized | null> {
  const asked = repeat(request, path, source)
  const reads = readsOf(asked)
  Object.assign(reads, {
    caller: { user, session, hasRecentProof: true },
    preparing: { browserId },
  })
  const response = new ServerResponse(asked)
  await oidcProvider().callback()(asked, response)
  const { opening, preparing } = reads
  const location = response.getHeader('location')
  const code = preparing?.code
  if (!opening || !code || typeof location !== 'string') return null
  const store = (trx: Transaction) => openGrantAtSignIn(opening, code, trx)
  return { location, name: opening.authorization.client.clientName, store }
}

/** Returns a request of the same browser and connection. */
function repeat(request: IncomingMessage, path: string, source: RequestSource): IncomingMessage {
  const headers = ownHeaders(request.headers, source.ip)
  const asked: IncomingMessage = Object.create(request, {
    headers: { value: headers },
    method: { value: 'GET' },
    url: { value: path, writable: true },
  })
  rememberSource(asked, source)
  return asked
}
