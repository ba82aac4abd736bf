import { createPublicKey } from 'node:crypto'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { GRANT_TYPES } from '#oidc/clients/client'
import { parseYaml } from '#configuration/document/parse_yaml'
import { accessOf, type AccessFields } from './authelia_policy.ts'
import { importableName, importGroups } from './groups.ts'
import {
  ClientDraft,
  finishClients,
  isOn,
  asArray,
  asObject,
  asStrings,
  UnknownExport,
  type Imported,
  type JsonObject,
} from './imported.ts'

/* `configuration.yml` of Authelia, with the names of 4.38 and of the versions before. */

/** @throws UnknownExport */
export async function fromAuthelia(text: string): Promise<Imported> {
  const { value, errors } = await parseYaml(text)
  if (errors.length > 0)
    throw new UnknownExport(`is no YAML (line ${errors[0].line}: ${errors[0].message})`)
  const root = asObject(value)
  const provider = asObject(asObject(root.identity_providers).oidc)
  if (!Array.isArray(provider.clients))
    throw new UnknownExport('has no identity_providers.oidc.clients')
  const policies = asObject(provider.authorization_policies)
  const groups = new Set<string>()
  const enforced = enforcedBy(provider)
  const drafts = provider.clients
    .map(asObject)
    .filter((client) => typeof idOf(client) === 'string')
    .map((client) => toDraft({ ...client, ...enforced }, policies, groups))
  const finished = await finishClients(drafts)
  return { groups: importGroups([...groups]), ...finished }
}

/** Returns the requirements for all clients, as members of each client. */
function enforcedBy(provider: JsonObject): JsonObject {
  const isPkceEnforced = provider.enforce_pkce === 'always'
  const isParEnforced = isOn(asObject(provider.pushed_authorizations).enforce)
  return {
    ...(isPkceEnforced && { require_pkce: true }),
    ...(isParEnforced && { require_pushed_authorization_requests: true }),
  }
}

const idOf = (client: JsonObject) => client.client_id ?? client.id

function toDraft(client: JsonObject, policies: JsonObject, groups: Set<string>) {
  const draft = new ClientDraft(idOf(client), client.client_name ?? client.description)
  const isImplicit = client.consent_mode === 'implicit'
  draft.set({ kind: isImplicit ? 'first_party' : 'third_party' })
  setMethod(draft, client)
  setGrants(draft, client)
  draft.setAddresses('redirectUris', asStrings(client.redirect_uris))
  setRules(draft, client)
  const access = accessOf(client.authorization_policy ?? 'two_factor', policies)
  setAccess(draft, access.fields, groups)
  if (access.note) draft.note('access', access.note)
  return draft
}

/** `config:apply` refuses a client whose group no file can make. */
function setAccess(
  draft: ClientDraft,
  { allowedGroups, ...fields }: AccessFields,
  all: Set<string>
) {
  draft.set(fields)
  if (!allowedGroups) return
  const taken = allowedGroups.filter((group) => importableName(group) !== null)
  draft.set({ allowedGroups: taken })
  for (const group of allowedGroups) {
    all.add(group)
    if (!taken.includes(group)) draft.note('allowedGroups', `no group may be called ${group}`)
  }
}

const PLAIN = '$plaintext$'

function setMethod(draft: ClientDraft, client: JsonObject) {
  const isPublic = isOn(client.public)
  const fallback = isPublic ? 'none' : 'client_secret_basic'
  const method = client.token_endpoint_auth_method || fallback
  draft.set({ tokenEndpointAuthMethod: method })
  if (method === 'private_key_jwt') setKeys(draft, client)
  const given = client.client_secret ?? client.secret
  if (method === 'private_key_jwt' || method === 'none') return
  const secret = typeof given === 'string' ? given : ''
  draft.setSecret(secret.startsWith(PLAIN) ? secret.slice(PLAIN.length) : secret)
  if (secret === '') draft.note('secret', 'it is not in the file')
}

/** The file contains keys as PEM. */
function setKeys(draft: ClientDraft, client: JsonObject) {
  if (client.jwks_uri) return draft.set({ jwksUri: client.jwks_uri })
  try {
    const keys = asArray(client.jwks)
      .map(asObject)
      .map(({ key, key_id: kid }) => ({
        ...createPublicKey(String(key)).export({ format: 'jwk' }),
        ...(kid && { kid }),
      }))
    if (keys.length > 0) draft.set({ jwks: { keys } })
    else draft.leaveOut('its public keys are not in the file')
  } catch {
    draft.leaveOut('its public keys cannot be read')
  }
}

function setGrants(draft: ClientDraft, client: JsonObject) {
  const given = asStrings(client.grant_types ?? ['authorization_code'])
  const known = GRANT_TYPES.filter((grant) => given.includes(grant))
  for (const grant of given)
    if (!known.some((each) => each === grant)) draft.note('grantTypes', `the grant ${grant}`)
  draft.set({ grantTypes: known })
  if (known.length === 0) draft.leaveOut('none of its grants is known here')
  if (known.includes('client_credentials'))
    draft.set({ serviceAccount: `service-account-${idOf(client)}` })
  const others = asStrings(client.response_types).filter((type) => type !== 'code')
  if (others.length > 0) draft.note('grantTypes', `the response types ${others.join(', ')}`)
}

const SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access']

function setRules(draft: ClientDraft, client: JsonObject) {
  const algorithm = client.id_token_signed_response_alg ?? client.id_token_signing_alg ?? 'RS256'
  if (ID_TOKEN_ALGORITHMS.includes(algorithm)) draft.set({ idTokenAlgorithm: algorithm })
  else draft.note('idTokenAlgorithm', `${algorithm} is not known here`)
  const scopes = asStrings(client.scopes ?? SCOPES.slice(0, 4))
  draft.set({ scopes: SCOPES.filter((scope) => scopes.includes(scope)) })
  for (const scope of scopes)
    if (!SCOPES.includes(scope)) draft.note('scopes', `${scope} is not known here`)
  if (isOn(client.require_pkce)) draft.set({ requirePkce: true })
  if (client.pkce_challenge_method === 'plain')
    draft.note('requirePkce', 'plain challenges are refused')
  if (isOn(client.require_pushed_authorization_requests)) draft.set({ requirePar: true })
  if (client.sector_identifier_uri || client.sector_identifier)
    draft.note('sub', 'it is pairwise: users get another one')
  if (client.claims_policy) draft.note('claims', `the claims policy ${client.claims_policy}`)
  if (asStrings(client.audience).length > 0) draft.note('audience', 'its audiences')
  const userinfo = client.userinfo_signed_response_alg ?? client.userinfo_signing_algorithm
  if (userinfo && userinfo !== 'none') draft.note('userinfo', 'signed answers of userinfo')
}
