import Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { needsSignInForm, repeatedPath, rememberSignIn } from '#oidc/provider/sign_in_form'
import { readsOf } from '#oidc/request_reads'
import { sourceOfRequest } from '#oidc/request_source'

/**
 * oidc-provider 9.13 stores each request that waits for a user, and redirects to a page. Patched,
 * it answers with the form if no user is signed in, and does not store what the form can repeat.
 */
export function answerBySignInForm(provider: Provider) {
  const { prototype } = provider.Interaction
  const { save } = prototype
  prototype.save = async function (ttl) {
    const { ctx } = Provider
    if (ctx && isRepeated(ctx)) return ''
    if (ctx) await throttleStored(ctx)
    return save.call(this, ttl)
  }
  provider.on('interaction.started', (ctx: Context) => {
    if (!needsSignInForm(ctx)) return
    rememberSignIn(ctx)
    ctx.respond = false
  })
}

/** While a sign-in prepares an authorization, it asks nothing: the repeated request asks. */
function isRepeated(ctx: Context) {
  if (readsOf(ctx.req).preparing) return true
  return needsSignInForm(ctx) && repeatedPath(ctx) !== null
}

/** Each such request writes a row before any sign-in. `dispatch.ts` throttles the other routes. */
async function throttleStored({ oidc, req }: Context) {
  if (oidc.route === 'authorization') await throttleAddress('oauth', sourceOfRequest(req).ip)
}
