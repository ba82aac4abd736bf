import express, { Router } from 'express'
import * as oidc from 'openid-client'
import { logoutTokenVerifier } from './logout_token.js'
import { endSession, endSessionsOf, requireSession } from './sessions.js'

export function signOutRoutes({ provider, cookies, at, clientId }) {
  const router = Router()
  const verify = logoutTokenVerifier(provider.serverMetadata(), clientId)

  /** Signs out here first, then at the provider, which redirects back to us. */
  router.post('/sign-out', requireSession, ({ session }, response) => {
    endSession(session.id)
    cookies.clear(response, 'example')
    const parameters = {
      id_token_hint: session.idToken,
      post_logout_redirect_uri: at('/').href,
    }
    response.redirect(303, oidc.buildEndSessionUrl(provider, parameters).href)
  })

  /** The provider calls this, and no browser: a session that ends there ends here immediately. */
  const form = express.urlencoded({ extended: false, limit: '16kb' })
  router.post('/backchannel-logout', form, async ({ body }, response) => {
    const token = await verify(body?.logout_token).catch(() => null)
    if (!token) return response.status(400).json({ error: 'invalid_request' })
    endSessionsOf(token)
    response.sendStatus(204)
  })

  return router
}
