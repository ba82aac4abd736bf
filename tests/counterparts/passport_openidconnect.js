import { Router } from 'express'
import session from 'express-session'
import Passport from 'passport'
import Strategy from 'passport-openidconnect'

/** As its read-me sets it up. It knows no PKCE. */
export function passport({ issuer, clientId, clientSecret }) {
  Passport.use(
    new Strategy(
      {
        issuer,
        authorizationURL: `${issuer}/oauth/authorize`,
        tokenURL: `${issuer}/oauth/token`,
        userInfoURL: `${issuer}/oauth/userinfo`,
        clientID: clientId,
        clientSecret,
        callbackURL: '/callback',
        scope: ['profile', 'email'],
      },
      (_issuer, profile, done) => done(null, profile)
    )
  )
  Passport.serializeUser((user, done) => done(null, user))
  Passport.deserializeUser((user, done) => done(null, user))
  return { signIn: routes(), userOf: ({ user }) => user }
}

function routes() {
  const router = Router()
  router.use(session({ secret: 'any text', resave: false, saveUninitialized: false }))
  router.use(Passport.session())
  router.get('/login', Passport.authenticate('openidconnect'))
  router.get(
    '/callback',
    Passport.authenticate('openidconnect', { failureRedirect: '/failed' }),
    (_request, response) => response.redirect('/')
  )
  router.get('/failed', (_request, response) => response.status(401).send('Failed'))
  router.use((request, response, next) => (request.user ? next() : response.redirect('/login')))
  return router
}
