import Provider, { errors, type Context } from 'oidc-provider'
import limits from '#config/limits'
import settings from '#config/oidc'
import { consume } from '#auth/lockout/rate_limit'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { verifySecrets } from '#oidc/provider/patches/client_secrets'
import { configuration } from './configuration.ts'
import { reportFailures } from './failures.ts'
import { limitServiceScopes, shrinkGrants } from '#oidc/provider/patches/granted_scopes'
import { verifyIdTokenHint } from '#oidc/tokens/id_token_hint'
import { apiKeys, identityKey, signWithLiveKeys } from '#oidc/tokens/provider_keys'
import { loadGrant } from './load_grant.ts'
import { insertOnce } from '#oidc/records/record_rows'
import { keepErrorsFromUntrusted } from '#oidc/provider/patches/untrusted_redirects'
import { slowDownDevices } from './rate_limits.ts'
import { revokeJwts } from '#oidc/tokens/revocation'
import { issueSuccessors } from '#oidc/grants/reuse'
import { useWebSession } from '#oidc/provider/patches/web_session'

/*
 | The library with our rules in it. Where it has no option for one, the method that decides
 | is replaced here, and nowhere else.
 */

let provider: Provider | undefined

/** Made at the first request that needs it. */
export function oidcProvider(): Provider {
  return (provider ??= build())
}

function build() {
  const keys = [identityKey, apiKeys.ES256, apiKeys.EdDSA]
  const loadExistingGrant = (ctx: Context) => loadGrant(made, ctx)
  const made = new Provider(settings.issuer, {
    ...configuration(),
    loadExistingGrant,
    jwks: { keys },
  })
  made.proxy = true
  made.silent = true
  reportFailures(made)
  useWebSession(made)
  verifySecrets(made)
  nameSessions(made)
  verifyHintsByOurKeys(made)
  signWithLiveKeys(made)
  excuseFirstParties(made)
  limitServiceScopes(made)
  shrinkGrants(made)
  keepWebSessionOfGrants(made)
  checkRedirectUrisAgain(made)
  rememberProofs(made)
  keepErrorsFromUntrusted(made)
  refuseFormPost(made)
  nameForbiddenGrants(made)
  issueSuccessors(made)
  revokeJwts(made)
  slowDownDevices(made)
  return made
}

/** Every ID token names its session (`sid`), not only those of clients with a logout address. */
function nameSessions({ Client }: Provider) {
  Client.prototype.includeSid = () => true
}

function verifyHintsByOurKeys({ IdToken }: Provider) {
  IdToken.validate = async (jwt, { clientId }) => ({
    payload: await verifyIdTokenHint(jwt, clientId).catch(passUnavailable),
  })
}

/** Of another error the library would say that the hint is invalid. */
function passUnavailable(error: unknown): never {
  if (!isDependencyDown(error)) throw error
  throw Object.assign(new errors.TemporarilyUnavailable('try again soon'), { statusCode: 503 })
}

/** First-party clients get `offline_access` without `prompt=consent`: their users are not asked. */
function excuseFirstParties({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: Context['oidc']) {
      const prompts = new Set<string>(this.params.prompt?.split(' ') ?? [])
      const isFirstParty = this.client?.gatehouse.kind === 'first_party'
      return isFirstParty && !prompts.has('none') ? prompts.add('consent') : prompts
    },
  })
}

function keepWebSessionOfGrants({ Grant }: Provider) {
  const members = [...Grant.IN_PAYLOAD, 'webSessionId']
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => members })
}

/** Before an error leads there: the library remembers its check while a user is asked. */
function checkRedirectUrisAgain({ OIDCContext }: Provider) {
  const never = { get: () => false, set() {} }
  Object.defineProperty(OIDCContext.prototype, 'redirectUriCheckPerformed', never)
}

/** How far ahead the library lets the clock of a client be, in seconds (`CHALLENGE_OK_WINDOW`). */
const CLOCK_WINDOW = 300

/**
 * The library reads and then writes, and forgets a proof five minutes after its use: one whose
 * `iat` is five minutes ahead would be good for longer.
 */
function rememberProofs({ ReplayDetection }: Provider) {
  ReplayDetection.unique = async (issuer, jti, exp) => {
    const { AccessToken: token } = Provider.ctx?.oidc.entities ?? {}
    const isUserinfo = Provider.ctx?.oidc.route === 'userinfo'
    if (isUserinfo) await consume(`userinfo-proof:{${token.grantId}}`, limits.userinfoProof)
    const key = { kind: 'ReplayDetection', id: JSON.stringify([issuer, jti]) }
    return insertOnce(key, { payload: '{}', expiresAt: (exp + CLOCK_WINDOW) * 1_000 })
  }
}

/**
 * The page of `form_post` has an inline script, which our policy forbids. Clients are not
 * registered for it, but errors would still be sent by it: under a name that nobody has,
 * they go by the default.
 */
function refuseFormPost(made: Provider) {
  made.use(async (ctx, next) => {
    const { response_mode: mode } = ctx.query
    if (mode === 'form_post') ctx.query = { ...ctx.query, response_mode: 'form_post.refused' }
    await next()
    if (ctx.body?.response_modes_supported) Object.assign(ctx.body, ownDiscovery())
  })
}

/** What the library does not say of itself in the discovery document. */
function ownDiscovery() {
  const own = {
    response_modes_supported: ['query', 'fragment'],
    prompt_values_supported: ['none', 'login', 'consent'],
  }
  return settings.documents.isOn ? { ...own, client_id_metadata_document_supported: true } : own
}

const FORBIDDEN_GRANT = /^(?:requested grant type|urn:ietf:\S+) is not allowed for this client$/

/** A grant that the client may not use is no malformed request (RFC 6749, section 5.2). */
function nameForbiddenGrants(made: Provider) {
  made.use(async (ctx, next) => {
    await next()
    if (FORBIDDEN_GRANT.test(ctx.body?.error_description)) ctx.body.error = 'unauthorized_client'
  })
}
