import type { IncomingMessage } from 'node:http'
import Provider, { type Context } from 'oidc-provider'
import { isLoopback } from '#oidc/clients/redirect_uris'

/** An answer that a form of our page posts (OAuth 2.0 Form Post Response Mode). */
export interface FormPostResponse {
  action: string
  fields: Record<string, string>
  name: string
}

const answers = new WeakMap<IncomingMessage, FormPostResponse>()

export function formPostResponseOf(request: IncomingMessage) {
  return answers.get(request)
}

/** Apps receive no form, and browsers warn of one that goes over http to another device. */
export function receivesForms(redirectUri: string) {
  const url = URL.parse(redirectUri)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
}

type Fields = Record<string, string>

/**
 * oidc-provider 9.13 answers `form_post` with a page in English, whose button is for a browser
 * without scripts. This provider leaves the page to `handle` of `dispatch.ts`.
 */
export class FormPostProvider extends Provider {
  override registerResponseMode(
    mode: string,
    handler: (ctx: Context, redirectUri: string, fields: Fields) => void
  ) {
    super.registerResponseMode(mode, mode === 'form_post' ? postAnswer : handler)
  }
}

function postAnswer(ctx: Context, action: string, fields: Fields) {
  if (!receivesForms(action)) return redirectByQuery(ctx, action, fields)
  answers.set(ctx.req, { action, fields, name: ctx.oidc.client.clientName })
  ctx.respond = false
}

/** Only errors come here, because `patches/form_post.ts` refuses the mode for this address. */
function redirectByQuery(ctx: Context, redirectUri: string, fields: Fields) {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  ctx.status = 303
  ctx.redirect(url.href)
}
