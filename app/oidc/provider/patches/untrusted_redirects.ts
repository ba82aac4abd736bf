import { hasConsented } from '#oidc/consents/consents'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { rememberFailure } from '#oidc/provider/failures'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/*
 | A client that only its own document describes chooses its redirect address itself. An error, as
 | `prompt=none` causes one at will, would make this server redirect anybody anywhere, for
 | phishing (RFC 9700, section 4.11). So such a client gets an error by a redirect only when the
 | user has consented to it before, or has just answered a page that names it.
 */

const failed = new WeakMap<Context, { error: string }>()

export function keepErrorsFromUntrusted(provider: Provider) {
  const remember = (ctx: Context, error: { error: string }) => failed.set(ctx, error)
  for (const event of ['authorization.error', 'server_error']) provider.on(event, remember)
  provider.use(async (ctx, next) => {
    await next()
    const failure = failed.get(ctx)
    if (failure && (await isUntrusted(ctx))) showInstead(ctx, failure)
  })
}

/** Where the user has answered a page, the library is on its route `resume`. */
async function isUntrusted({ oidc, res }: Context) {
  const clientId = oidc.client?.clientId
  const isRedirect = oidc.route === 'authorization' && res.hasHeader('location')
  if (!isRedirect || !clientId || !isMetadataUrl(clientId)) return false
  const userId = oidc.session?.accountId
  return !userId || !(await hasConsented({ userId, clientId }))
}

function showInstead(ctx: Context, { error }: { error: string }) {
  ctx.res.removeHeader('location')
  rememberFailure(ctx.req, { status: 400, error, untrusted: ctx.oidc.client.clientName })
  ctx.respond = false
}
