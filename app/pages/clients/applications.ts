import { ini, json, kotlin, ruby, shell } from './quoting.ts'
import type { Values } from './settings.ts'

/* Every client needs PKCE (S256), which most applications leave off by default. */

/** `grafana.ini`, https://grafana.com/docs/grafana/latest/setup-grafana/configure-access/configure-authentication/generic-oauth/ */
export function grafana({ title, issuer, clientId, secret, scope, isSentInBody }: Values) {
  return lines(
    '[auth.generic_oauth]',
    'enabled = true',
    `name = ${ini(title)}`,
    `client_id = ${clientId}`,
    `client_secret = ${secret}`,
    `scopes = ${scope}`,
    `auth_url = ${issuer}/oauth/authorize`,
    `token_url = ${issuer}/oauth/token`,
    `api_url = ${issuer}/oauth/userinfo`,
    `auth_style = ${isSentInBody ? 'InParams' : 'InHeader'}`,
    'use_pkce = true',
    `role_attribute_path = role == 'Admin' && 'Admin' || 'Viewer'`
  )
}

/** `/etc/gitlab/gitlab.rb`, https://docs.gitlab.com/administration/auth/oidc/ */
export function gitlab(values: Values) {
  const { title, issuer, clientId, secret, redirectUri, scope, isSentInBody } = values
  const scopes = scope.split(' ').map(ruby).join(', ')
  return lines(
    "gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']",
    "gitlab_rails['omniauth_providers'] = [",
    '  {',
    "    name: 'openid_connect',",
    `    label: ${ruby(title)},`,
    '    args: {',
    "      name: 'openid_connect',",
    `      scope: [${scopes}],`,
    "      response_type: 'code',",
    `      issuer: ${ruby(issuer)},`,
    '      discovery: true,',
    `      client_auth_method: '${isSentInBody ? 'query' : 'basic'}',`,
    "      uid_field: 'sub',",
    '      pkce: true,',
    '      client_options: {',
    `        identifier: ${ruby(clientId)},`,
    `        secret: ${ruby(secret)},`,
    `        redirect_uri: ${ruby(redirectUri)}`,
    '      }',
    '    }',
    '  }',
    ']'
  )
}

/** https://github.com/nextcloud/user_oidc: PKCE is on unless `use_pkce` is false. */
export function nextcloud({ title, issuer, clientId, secret, scope }: Values) {
  return lines(
    `occ user_oidc:provider ${shell(title)} \\`,
    `  --clientid=${shell(clientId)} \\`,
    `  --clientsecret=${shell(secret)} \\`,
    `  --discoveryuri=${shell(`${issuer}/.well-known/openid-configuration`)} \\`,
    `  --scope=${shell(scope)} \\`,
    "  --mapping-display-name='name' --mapping-email='email'"
  )
}

/** `oauth2-proxy.cfg`, https://oauth2-proxy.github.io/oauth2-proxy/configuration/providers/openid_connect */
export function oauth2Proxy({ title, issuer, clientId, secret, redirectUri, scope }: Values) {
  return lines(
    'provider = "oidc"',
    `provider_display_name = ${json(title)}`,
    `oidc_issuer_url = ${json(issuer)}`,
    `client_id = ${json(clientId)}`,
    `client_secret = ${json(secret)}`,
    `redirect_url = ${json(redirectUri)}`,
    `scope = ${json(scope)}`,
    'code_challenge_method = "S256"',
    'email_domains = ["*"]',
    "# openssl rand -base64 32 | tr -- '+/' '-_'",
    'cookie_secret = ""'
  )
}

/** `oidc-client-ts` uses PKCE by default. */
export function spa({ issuer, clientId, redirectUri, scope }: Values) {
  return lines(
    "import { UserManager } from 'oidc-client-ts'",
    '',
    'const users = new UserManager({',
    `  authority: ${json(issuer)},`,
    `  client_id: ${json(clientId)},`,
    `  redirect_uri: ${json(redirectUri)},`,
    `  scope: ${json(scope)},`,
    '})',
    '',
    '// Sign in',
    'await users.signinRedirect()',
    '// On the page of the redirect address',
    'const user = await users.signinCallback()'
  )
}

/** AppAuth for Android uses PKCE by itself; the one for iOS has the same values. */
export function native({ issuer, clientId, redirectUri, scope, ...values }: Values) {
  const { protocol } = new URL(redirectUri)
  const asked = values.mayStay ? `${scope} offline_access` : scope
  const prompt = values.mayStay && !values.isFirstParty ? '.setPrompt("consent")' : ''
  return lines(
    `// build.gradle.kts: manifestPlaceholders["appAuthRedirectScheme"] = ${kotlin(protocol.slice(0, -1))}`,
    'AuthorizationServiceConfiguration.fetchFromIssuer(',
    `  Uri.parse(${kotlin(issuer)})`,
    ') { configuration, error ->',
    '  if (configuration == null) return@fetchFromIssuer',
    '  val request = AuthorizationRequest.Builder(',
    '    configuration,',
    `    ${kotlin(clientId)},`,
    '    ResponseTypeValues.CODE,',
    `    Uri.parse(${kotlin(redirectUri)})`,
    `  ).setScope(${kotlin(asked)})${prompt}.build()`,
    '}'
  )
}

function lines(...all: string[]) {
  return all.join('\n')
}
