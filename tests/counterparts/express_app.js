import express from 'express'
import { oidc } from './express_openid_connect.js'
import { oidcClientTs } from './oidc_client_ts.js'
import { openidClient5 } from './openid_client_5.js'
import { openidClient6 } from './openid_client_6.js'
import { passport } from './passport_openidconnect.js'

/* An application whose library of sign-in is named by its environment. */

const LIBRARIES = {
  'express-openid-connect': oidc,
  'oidc-client-ts': oidcClientTs,
  'openid-client 5': openidClient5,
  'openid-client 6': openidClient6,
  'passport-openidconnect': passport,
}

const { LIBRARY, PORT, ISSUER, CLIENT_ID, CLIENT_SECRET, RESPONSE_MODE } = process.env

const settings = {
  url: `http://localhost:${PORT}`,
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  responseMode: RESPONSE_MODE,
}

const { signIn, userOf } = await LIBRARIES[LIBRARY](settings)

express()
  .disable('x-powered-by')
  .use(signIn)
  .get('/', (request, response) => response.send(`<pre>${JSON.stringify(userOf(request))}</pre>`))
  .listen(Number(PORT), () => console.log('The application listens'))
