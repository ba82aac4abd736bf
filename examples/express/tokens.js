import { Router } from 'express'
import * as oidc from 'openid-client'
import { renderHome, renderProblem } from './pages.js'
import { TWO_FACTORS } from './provider.js'
import { endSession, requireSession } from './sessions.js'

/** Returns what a session keeps of a token response. Tokens stay here: no browser needs them. */
export function sessionValues(tokens, former = {}) {
  const claims = tokens.claims() ?? former.claims
  return {
    claims,
    hasTwoFactors: claims.acr === TWO_FACTORS,
    idToken: tokens.id_token ?? former.idToken,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? former.refreshToken,
    goodUntil: Date.now() + tokens.expires_in * 1_000,
  }
}

export function tokenRoutes({ provider }) {
  const router = Router()

  router.get('/userinfo', requireSession, async ({ session }, response) => {
    if (session.goodUntil < Date.now()) await refresh(session)
    const { accessToken, claims } = session
    const userInfo = await oidc.fetchUserInfo(provider, accessToken, claims.sub)
    response.send(renderHome(session, userInfo))
  })

  router.post('/refresh', requireSession, async ({ session }, response) => {
    await refresh(session)
    response.redirect(303, '/')
  })

  async function refresh(session) {
    const tokens = await oidc.refreshTokenGrant(provider, session.refreshToken)
    Object.assign(session, sessionValues(tokens, session))
  }

  /** The provider refuses tokens after their session has ended there. Then it ends here as well. */
  router.use((error, { session }, response, next) => {
    if (!isRefusal(error)) return next(error)
    endSession(session.id)
    const text = 'Your session with Gatehouse has ended.'
    response.status(401).send(renderProblem('You are signed out', text))
  })

  return router
}

function isRefusal(error) {
  return error.error === 'invalid_grant' || error instanceof oidc.WWWAuthenticateChallengeError
}
