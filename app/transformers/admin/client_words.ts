/* Settings of applications are shown with the words of their form. */

export const CLIENT_FIELDS = new Map([
  ['redirectUris', 'clients.redirect_uris'],
  ['postLogoutRedirectUris', 'clients.post_logout_uris'],
  ['grantTypes', 'clients.grant_types'],
  ['tokenEndpointAuthMethod', 'clients.auth_method'],
  ['jwks', 'clients.fields.jwks'],
  ['jwksUri', 'clients.fields.jwks_uri'],
  ['backchannelLogoutUri', 'clients.backchannel_uri'],
  ['serviceAccountId', 'clients.service_account'],
  ['homeUrl', 'clients.home_url'],
  ['requirePkce', 'clients.fields.require_pkce'],
  ['idTokenAlgorithm', 'clients.fields.id_token_algorithm'],
  ['idTokenClaims', 'clients.fields.id_token_claims'],
  ['claims', 'clients.fields.claims'],
  ['allowHttp', 'clients.fields.allow_http'],
  ['requireVerifiedEmail', 'clients.fields.require_verified_email'],
  ['refreshTokens', 'clients.fields.refresh_tokens'],
  ['refreshTokenTtl', 'clients.fields.refresh_token_ttl'],
  ['requirePar', 'clients.fields.require_par'],
  ['requireDpop', 'clients.fields.require_dpop'],
  ['access', 'access.fields.access'],
  ['allowedGroups', 'access.fields.allowed_groups'],
  ['requireMfa', 'access.fields.require_mfa'],
  ['logo', 'clients.logo.title'],
])

export const CLIENT_VALUES = new Map([
  ['tokenEndpointAuthMethod', 'clients.auth_methods'],
  ['refreshTokens', 'clients.refresh_tokens'],
  ['access', 'access.fields'],
])
