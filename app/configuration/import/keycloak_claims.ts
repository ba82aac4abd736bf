import { isClaimName, parseSource } from '#auth/claims/claim_sources'
import { asArray, asObject, type ClientDraft, type JsonObject } from './imported.ts'

/** Groups and roles of a realm become groups here, with their paths and names. */
const GROUP_MAPPERS = ['oidc-group-membership-mapper', 'oidc-usermodel-realm-role-mapper']

export function setClaims(draft: ClientDraft, client: JsonObject) {
  const mappers = asArray(client.protocolMappers).map(asObject)
  const claims = mappers.flatMap((mapper) => claimOf(draft, mapper))
  if (claims.length > 0) draft.set({ claims: Object.fromEntries(claims) })
}

function claimOf(draft: ClientDraft, mapper: JsonObject): [string, string][] {
  const { protocolMapper: type, name } = mapper
  const config = asObject(mapper.config)
  const claim = String(config['claim.name'] ?? '')
  const source = sourceOf(type, config)
  if (isGroups(type, claim, config)) addScope(draft)
  else if (source && isClaimName(claim) && parseSource(source)) return [[claim, source]]
  else if (String(type).includes('pairwise'))
    draft.note('sub', 'it is pairwise: users get another one')
  else draft.note('claims', `the mapper ${name} (${type})`)
  return []
}

function isGroups(type: unknown, claim: string, config: JsonObject) {
  return GROUP_MAPPERS.includes(String(type)) && claim === 'groups' && !hasSlash(type, config)
}

function addScope(draft: ClientDraft) {
  const scopes = draft.fields.scopes as string[]
  draft.set({ scopes: [...new Set([...scopes, 'groups'])] })
}

/** Keycloak writes `/Staff/Berlin`, and here the group is `Staff/Berlin`. */
function hasSlash(type: unknown, config: JsonObject) {
  return type === GROUP_MAPPERS[0] && config['full.path'] !== 'false'
}

function sourceOf(type: unknown, config: JsonObject) {
  if (GROUP_MAPPERS.includes(String(type)) && !hasSlash(type, config)) return 'groups'
  const value = config['claim.value']
  if (type !== 'oidc-hardcoded-claim-mapper' || typeof value !== 'string') return null
  return config['jsonType.label'] === 'String' || !config['jsonType.label'] ? `=${value}` : null
}
