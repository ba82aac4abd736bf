import { i18nFor } from '#i18n/locales'
import { isPublic, type ClientSettings, type OAuthClient } from '#oidc/clients/client'

/** The field that would allow the request, and the value if a button may set it. */
interface Remedy {
  setting: keyof ClientSettings | null
  /** Never taken from a request: an outsider must not choose what a button of the console does. */
  allows?: boolean
}

const BY_HAND: Remedy = { setting: null }

const field = (setting: keyof ClientSettings): Remedy => ({ setting })

/** Why an application is refused. `refusals` in `resources/lang` names each. */
export const REASONS = {
  redirect_uri: field('redirectUris'),
  post_logout_redirect_uri: field('postLogoutRedirectUris'),
  origin: field('redirectUris'),
  scope: field('scopes'),
  pkce: { setting: 'requirePkce', allows: false },
  par: { setting: 'requirePar', allows: false },
  dpop: { setting: 'requireDpop', allows: false },
  claim: field('claims'),
  email_unverified: { setting: 'requireVerifiedEmail', allows: false },
  grant_type: field('grantTypes'),
  auth_method: field('tokenEndpointAuthMethod'),
  client_secret: BY_HAND,
  too_many_secrets: BY_HAND,
  client_assertion: BY_HAND,
  dpop_proof: BY_HAND,
  response_type: BY_HAND,
  response_mode: BY_HAND,
  resource: BY_HAND,
  grant: BY_HAND,
  request: BY_HAND,
} satisfies Record<string, Remedy>

export type RefusalReason = keyof typeof REASONS

/** The language of the API, the commands and the log; a page may use another one. */
const english = () => i18nFor('en')

export function describeRefusal(reason: RefusalReason, client: OAuthClient, i18n = english()) {
  const fixed = reason === 'pkce' ? fixedPkce(client) : null
  const { setting, allows }: Remedy = fixed ? BY_HAND : REASONS[reason]
  const remedy = i18n.t(`refusals.remedy.${fixed ?? reason}`)
  return { remedy, setting, allows }
}

/** A client without a secret always needs PKCE, and so does the scheme of an app. */
function fixedPkce(client: OAuthClient) {
  if (isPublic(client)) return 'pkce_public'
  return client.requirePkce ? null : 'pkce_always'
}

/** Returns the change that the button of a setting makes, or null if it has no button. */
export function allowed(setting: string): Partial<ClientSettings> | null {
  const remedies: Remedy[] = Object.values(REASONS)
  const remedy = remedies.find((each) => each.setting === setting && each.allows !== undefined)
  return remedy ? { [setting]: remedy.allows } : null
}
