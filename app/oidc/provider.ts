import logger from '@adonisjs/core/services/logger'
import Provider, { type Client, type Context } from 'oidc-provider'
import settings from '#config/oidc'
import signingKeys from '#config/signing_keys'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { isSecretOf } from './clients/secrets.ts'
import { configuration } from './configuration.ts'
import { rememberFailure } from './failures.ts'
import { verifyIdTokenHint } from './id_token_hint.ts'
import { apiKeys, identityKey } from './library_key.ts'
import { loadGrant } from './load_grant.ts'
import { useWebSession } from './web_session.ts'

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
  const { algorithm } = signingKeys
  const keys = algorithm === 'HS256' ? [identityKey] : [identityKey, apiKeys[algorithm]]
  const loadExistingGrant = (ctx: Context) => loadGrant(made, ctx)
  const made = new Provider(settings.issuer, {
    ...configuration(),
    loadExistingGrant,
    jwks: { keys },
  })
  made.proxy = true
  made.silent = true
  useWebSession(made)
  compareHashes(made)
  nameSessions(made)
  verifyHintsByOurKeys(made)
  excuseFirstParties(made)
  keepWebSessionOfGrants(made)
  refuseFormPost(made)
  nameForbiddenGrants(made)
  reportFailures(made)
  return made
}

function compareHashes({ Client }: Provider) {
  Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    return isSecretOf(this.gatehouse.secrets, secret)
  }
}

/** Every ID token names its session (`sid`), not only those of clients with a logout address. */
function nameSessions({ Client }: Provider) {
  Client.prototype.includeSid = () => true
}

function verifyHintsByOurKeys({ IdToken }: Provider) {
  IdToken.validate = async (jwt, { clientId }) => ({
    payload: await verifyIdTokenHint(jwt, clientId),
  })
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

/** What fails within is logged; a dependency that is down is no fault of the request. */
function reportFailures(made: Provider) {
  made.on('server_error', (ctx: Context, error: Error) => {
    if (!isDependencyDown(error)) return logger.error({ err: error }, 'the OpenID provider failed')
    ctx.status = 503
    ctx.res.setHeader('retry-after', '1')
    const out = { error: 'temporarily_unavailable', error_description: 'try again soon' }
    rememberFailure(ctx.req, { status: 503, error: out.error })
    if (ctx.respond !== false) ctx.body = out
  })
  made.on('error', (error: Error) => logger.error({ err: error }, 'the OpenID provider failed'))
}
