/** Describes each parameter of an authorization request. */
export const AUTHORIZATION_PARAMETERS: Record<string, string> = {
  client_id: 'Id of the application.',
  response_type: '`code`.',
  redirect_uri: 'One of the redirect addresses of the application.',
  scope: 'Scopes, separated by spaces: `openid profile email offline_access`.',
  state: 'Comes back as it was sent.',
  nonce: 'Comes back in the ID token.',
  code_challenge: 'SHA-256 of the `code_verifier`, in base64url (RFC 7636).',
  code_challenge_method: '`S256`.',
  prompt: '`none`, `login`, `select_account` or `consent`.',
  max_age: 'Seconds since the user authenticated; after that, they authenticate again.',
  acr_values: '`urn:gatehouse:acr:pwd` or `urn:gatehouse:acr:mfa`.',
  login_hint: 'An e-mail address for the field of the sign-in page.',
  id_token_hint: 'An ID token of the user who is expected.',
  claims:
    'Single claims for `userinfo` and `id_token`, as JSON (OpenID Connect Core, section 5.5).',
  ui_locales: 'Languages of the pages, separated by spaces.',
  request_uri: 'Names a request pushed to `/oauth/par`; replaces the other parameters.',
}
