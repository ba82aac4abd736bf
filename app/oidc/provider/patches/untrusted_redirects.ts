import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { hasConsented } from '#oidc/consents/consents'
import { rememberFailure } from '#oidc/provider/failures'
import { formPostResponseOf } from '#oidc/provider/form_post'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

const failed = new WeakMap<Context, { error: string }>()

/**
 * oidc-provider 9.13 redirects an error to any registered address. A metadata document chooses its
 * own: `prompt=none` would lead to a phishing page (RFC 9700, section 4.11). Patched, the redirect
 * needs a consent or an answered page.
 */
export function keepErrorsFromUntrusted(provider: Provider) {
  const remember = (ctx: Context, error: { error: string }) => failed.set(ctx, error)
  for (const event of ['authorization.error', 'server_error']) provider.on(event, remember)
  provider.use(async (ctx, next) => {
    await next()
    const failure = failed.get(ctx)
    if (failure && (await isUntrusted(ctx))) showInstead(ctx, failure)
  })
}

/** The route `resume` shows that the user has answered a page. */
async function isUntrusted({ oidc, req, res }: Context) {
  const clientId = oidc.client?.clientId
  const isSent = res.hasHeader('location') || Boolean(formPostResponseOf(req))
  const isRedirect = oidc.route === 'authorization' && isSent
  if (!isRedirect || !clientId || !isMetadataUrl(clientId)) return false
  const userId = oidc.session?.accountId
  return !userId || !(await hasConsented({ userId, clientId }))
}

function showInstead(ctx: Context, { error }: { error: string }) {
  ctx.res.removeHeader('location')
  rememberFailure(ctx.req, { status: 400, error, untrusted: ctx.oidc.client.clientName })
  ctx.respond = false
}
