import { DEVICE_GRANT, type GrantType } from '#oidc/clients/client'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { keycloakGroups } from '#users/transfer/imported_groups'
import { importGroups } from './groups.ts'
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
import { setClaims } from './keycloak_claims.ts'
import { setKeys } from './keycloak_keys.ts'

/* A realm as `kc.sh export`, or the console of Keycloak, writes it. */

/** Clients of Keycloak itself. */
const BUILT_IN = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
])

/** @throws UnknownExport */
export async function fromKeycloak(text: string): Promise<Imported> {
  const realm = parse(text)
  const clients = asArray(realm.clients)
    .map(asObject)
    .filter(({ clientId }) => typeof clientId === 'string' && !BUILT_IN.has(clientId))
  const drafts = clients.map((client) => toDraft(client, realm))
  return { groups: groupsOfRealm(realm), ...(await finishClients(drafts)) }
}

function parse(text: string): JsonObject {
  try {
    const realm = asObject(JSON.parse(text))
    if (Array.isArray(realm.clients)) return realm
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new UnknownExport('is no export of a realm: a JSON object with clients')
}

function groupsOfRealm(realm: JsonObject) {
  const realmRoles = asArray(asObject(realm.roles).realm).map((role) => asObject(role).name)
  const groups = pathsOf(asArray(realm.groups), '')
  const names = keycloakGroups({
    groups,
    realmRoles: realmRoles.filter((name) => typeof name === 'string'),
  })
  return importGroups(names.map(({ name }) => name))
}

/** No person makes a deeper tree. */
const DEPTH = 20

function pathsOf(groups: unknown[], above: string): string[] {
  if (above.split('/').length > DEPTH) return []
  return groups.map(asObject).flatMap(({ name, subGroups }) => {
    if (typeof name !== 'string') return []
    const path = `${above}/${name.replaceAll('/', '~/')}`
    return [path, ...pathsOf(asArray(subGroups), path)]
  })
}

function toDraft(client: JsonObject, realm: JsonObject) {
  const { clientId, name } = client
  const isPlaceholder = typeof name === 'string' && name.startsWith('${')
  const draft = new ClientDraft(clientId, isPlaceholder ? undefined : name)
  draft.set({ kind: isOn(client.consentRequired) ? 'third_party' : 'first_party' })
  const reason = whyNot(client)
  if (reason) draft.leaveOut(reason)
  setMethod(draft, client)
  setGrants(draft, client)
  setAddresses(draft, client)
  setRules(draft, client)
  setAccess(draft, client, realm)
  setClaims(draft, client)
  return draft
}

function whyNot({ protocol: given, enabled, bearerOnly }: JsonObject) {
  const protocol = given ?? 'openid-connect'
  if (protocol !== 'openid-connect') return `the client speaks ${protocol}`
  if (enabled === false) return 'the client is disabled'
  return isOn(bearerOnly) ? 'the client only checks tokens, which needs no client here' : null
}

function attributesOf(client: JsonObject) {
  return asObject(client.attributes)
}

function setMethod(draft: ClientDraft, client: JsonObject) {
  const { secret } = client
  const type = client.clientAuthenticatorType ?? 'client-secret'
  if (isOn(client.publicClient)) return draft.set({ tokenEndpointAuthMethod: 'none' })
  if (type === 'client-jwt') return setKeys(draft, attributesOf(client))
  if (type !== 'client-secret')
    return draft.leaveOut(`the client authenticates by ${type}, which is not known here`)
  draft.set({ tokenEndpointAuthMethod: 'client_secret_basic' })
  if (secret === undefined || secret === null) draft.note('secret', 'it is not in the export')
  draft.setSecret(secret)
}

function setGrants(draft: ClientDraft, client: JsonObject) {
  const attributes = attributesOf(client)
  const grants: GrantType[] = []
  if (client.standardFlowEnabled !== false) grants.push('authorization_code')
  if (isOn(attributes['oauth2.device.authorization.grant.enabled'])) grants.push(DEVICE_GRANT)
  const signsIn = grants.length > 0
  const refreshes = signsIn && attributes['use.refresh.tokens'] !== 'false'
  if (refreshes) grants.push('refresh_token')
  if (isOn(client.serviceAccountsEnabled)) grants.push('client_credentials')
  if (isOn(client.serviceAccountsEnabled))
    draft.set({ serviceAccount: `service-account-${client.clientId}` })
  /** Keycloak gives refresh tokens without the scope `offline_access`. */
  draft.set({ grantTypes: grants, refreshTokens: refreshes ? 'always' : undefined })
  if (grants.length === 0) draft.leaveOut('none of its grants is known here')
  if (isOn(client.implicitFlowEnabled)) draft.note('grantTypes', 'the implicit flow')
  if (isOn(client.directAccessGrantsEnabled)) draft.note('grantTypes', 'the password grant')
}

function setAddresses(draft: ClientDraft, client: JsonObject) {
  const [rootUrl, baseUrl] = [textOf(client.rootUrl) ?? '', textOf(client.baseUrl)]
  const attributes = attributesOf(client)
  const whole = (uri: string) => (uri.startsWith('/') ? `${rootUrl.replace(/\/$/, '')}${uri}` : uri)
  const redirects = asStrings(client.redirectUris).map(whole)
  draft.setAddresses('redirectUris', redirects)
  const logouts = String(attributes['post.logout.redirect.uris'] ?? '').split('##')
  const named = logouts.flatMap((uri) => (uri === '+' ? redirects : uri)).filter(isAddress)
  draft.setAddresses('postLogoutRedirectUris', named.map(whole))
  draft.set({ backchannelLogoutUri: textOf(attributes['backchannel.logout.url']) })
  const home = baseUrl ?? rootUrl
  if (home && /^https?:/.test(whole(home))) draft.set({ homeUrl: whole(home) })
}

/** Keycloak writes `-` for no address. */
function isAddress(uri: string) {
  return uri !== '' && uri !== '-'
}

function textOf(value: unknown) {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A flow that is not Keycloak's may deny users by rules that are not read here. */
function ownerOfFlow(client: JsonObject, realm: JsonObject) {
  if (asObject(client.authenticationFlowBindingOverrides).browser) return 'it'
  const isOfKeycloak = (textOf(realm.browserFlow) ?? 'browser') === 'browser'
  return isOfKeycloak ? null : 'the realm'
}

function setAccess(draft: ClientDraft, client: JsonObject, realm: JsonObject) {
  const owner = ownerOfFlow(client, realm)
  if (owner) {
    draft.set({ access: 'groups', allowedGroups: [] })
    draft.note(
      'access',
      `${owner} has a sign-in flow of its own: no user may sign in until you set access`
    )
  }
  const acr = textOf(attributesOf(client)['minimum.acr.value']) ?? '0'
  if (acr === '0' || acr === '1') return
  draft.set({ requireMfa: true })
  draft.note('requireMfa', `the acr value ${acr} is taken for a second factor`)
}

/** Every client of Keycloak has these scopes, or no client would miss them here. */
const COMMON_SCOPES = new Set(['roles', 'web-origins', 'acr', 'basic', 'microprofile-jwt'])
const SCOPES = ['profile', 'email', 'offline_access']

function setRules(draft: ClientDraft, client: JsonObject) {
  const attributes = attributesOf(client)
  const algorithm = attributes['id.token.signed.response.alg'] || 'RS256'
  if (ID_TOKEN_ALGORITHMS.includes(algorithm)) draft.set({ idTokenAlgorithm: algorithm })
  else draft.note('idTokenAlgorithm', `${algorithm} is not known here`)
  const pkce = attributes['pkce.code.challenge.method']
  if (pkce === 'S256') draft.set({ requirePkce: true })
  if (pkce === 'plain') draft.note('requirePkce', 'plain challenges are refused')
  if (isOn(attributes['require.pushed.authorization.requests'])) draft.set({ requirePar: true })
  if (isOn(attributes['dpop.bound.access.tokens'])) draft.set({ requireDpop: true })
  const given = [
    ...asStrings(client.defaultClientScopes),
    ...asStrings(client.optionalClientScopes),
  ]
  const known = given.length > 0 ? SCOPES.filter((scope) => given.includes(scope)) : SCOPES
  draft.set({ scopes: ['openid', ...known] })
  for (const scope of given)
    if (!COMMON_SCOPES.has(scope) && !SCOPES.includes(scope) && scope !== 'openid')
      draft.note('scopes', `${scope} is not known here`)
}
