import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/oidc'
import { canonicalDomain } from '#models/email_domain'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { allowAnyOrigin, answerPreflight } from '#http/any_origin'
import { queryOf } from '#http/request_body'
import { webfingerValidator } from '#validators/webfinger'

/** OpenID Connect Discovery 1.0, section 2. */
const ISSUER = 'http://openid.net/specs/connect/1.0/issuer'

const MAX_AGE_SECONDS = 300

const ACCOUNT = /^acct:[^@]+@(?<domain>[^@]+)$/i

/** Applications such as Tailscale ask for the issuer of an address (RFC 7033). */
export default class WebfingerController {
  async show(ctx: HttpContext) {
    allowAnyOrigin(ctx)
    if (settings.webfingerDomains.length === 0) throw new E_NOT_FOUND()
    const { resource: subject, rel = [ISSUER] } = await queryOf(ctx, webfingerValidator)
    if (!isOfOwnDomain(subject)) throw new E_NOT_FOUND()
    ctx.response.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
    ctx.response.header('content-type', 'application/jrd+json')
    const links = rel.includes(ISSUER) ? [{ rel: ISSUER, href: settings.issuer }] : []
    return ctx.response.send(JSON.stringify({ subject, links }))
  }

  preflight(ctx: HttpContext) {
    return answerPreflight(ctx, MAX_AGE_SECONDS)
  }
}

/** Looks up no user, because an outsider could find out which addresses have an account. */
function isOfOwnDomain(resource: string) {
  const domain = canonicalDomain(ACCOUNT.exec(resource)?.groups!.domain ?? '')
  return domain !== null && settings.webfingerDomains.includes(domain)
}
