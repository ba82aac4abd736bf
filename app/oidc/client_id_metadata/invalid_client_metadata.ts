import { errors } from 'oidc-provider'
import type { DocumentFailure } from '#network/document_errors'

export type InvalidMetadataReason =
  | DocumentFailure
  | 'host'
  | 'not_json'
  | 'client_id'
  | 'secret'
  | 'name'
  | 'grant_types'
  | 'redirect_uris'

/** In English, for developers: `error_description`. */
const DESCRIPTIONS: Record<InvalidMetadataReason, string> = {
  unreachable: 'no public server answered there over https',
  too_slow: 'it took too long to read',
  status: 'its address did not answer with status 200',
  type: 'it is not sent as uncompressed application/json',
  too_large: 'it is too large',
  host: 'clients of this host are not allowed here',
  not_json: 'it is not a JSON object',
  client_id: 'its client_id is not the address that it was read from',
  secret: 'it must be of a public client: no secret, and token_endpoint_auth_method none',
  name: 'its client_name is empty, too long or has invisible characters',
  grant_types: 'it must allow authorization_code and the response type code',
  redirect_uris: 'it has no redirect_uri on loopback or of the origin of its client_id',
}

/** The document of a client cannot be used: `invalid_client` (RFC 6749, section 5.2). */
export class InvalidClientMetadata extends errors.InvalidClient {
  constructor(
    readonly reason: InvalidMetadataReason,
    readonly host: string
  ) {
    super(`client id metadata document of ${host}: ${DESCRIPTIONS[reason]}`)
  }
}
