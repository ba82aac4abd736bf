import type { IncomingMessage } from 'node:http'
import Provider from 'oidc-provider'
import type User from '#models/user'
import type { WebCaller } from '#auth/sessions/web_session'
import type { SecretEvidence } from '#oidc/clients/secret_evidence'
import type { NewGrant } from '#oidc/grants/new_grant'
import type { FoundCode, NewRecord } from '#oidc/records/record_rows'
import type { Payload } from '#oidc/records/payloads'
import type { SessionOfGrant } from '#oidc/records/grant_session'

/** What one request has read. Its later steps do not read it again, but checks under a lock do. */
interface Reads {
  caller?: WebCaller
  user?: User
  grant?: Payload
  /** The session of the grant, read in the same statement. */
  session?: SessionOfGrant & { grantId: string }
  evidence?: SecretEvidence
  /** Read with the evidence. */
  code?: FoundCode & { id: string }
  /** A grant that is stored together with its code. */
  opening?: NewGrant
  /** Set while a sign-in prepares an authorization: nothing is stored before its session. */
  preparing?: PreparedAuthorization
}

export interface PreparedAuthorization {
  browserId: string | null
  code?: NewRecord
}

const reads = new WeakMap<IncomingMessage, Reads>()

export function readsOf(request: IncomingMessage): Reads {
  const known = reads.get(request) ?? {}
  reads.set(request, known)
  return known
}

/** Returns the reads of the request that the provider answers; empty outside of a request. */
export function currentReads(): Reads {
  return Provider.ctx ? readsOf(Provider.ctx.req) : {}
}

export function findLoadedUser(request: IncomingMessage, id: string) {
  const { caller, user } = readsOf(request)
  return [caller?.user, user].find((known) => known?.id === id) ?? null
}
