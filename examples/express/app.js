import { fileURLToPath } from 'node:url'
import express from 'express'
import { cookieJar } from './cookies.js'
import { renderHome, renderProblem, renderWelcome } from './pages.js'
import { findSession } from './sessions.js'
import { signInRoutes } from './sign_in.js'
import { signOutRoutes } from './sign_out.js'
import { tokenRoutes } from './tokens.js'

const PUBLIC = fileURLToPath(new URL('public', import.meta.url))

/** Nothing of other sites, in no frame, and no page of a person in a cache. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

export function createApp({ baseUrl, clientId }, provider) {
  const cookies = cookieJar(baseUrl)
  /** Addresses of our own, never from the Host header: a stranger may have written that. */
  const at = (path) => new URL(path, baseUrl)
  const context = { provider, clientId, cookies, at }
  return express()
    .disable('x-powered-by')
    .use(express.static(PUBLIC))
    .use((request, response, next) => {
      response.set(HEADERS)
      request.session = findSession(cookies.read(request, 'example'))
      next()
    })
    .get('/', ({ session }, response) => {
      response.send(session ? renderHome(session) : renderWelcome())
    })
    .use(signInRoutes(context), tokenRoutes(context), signOutRoutes(context))
    .use(showProblem)
}

/** What the provider answered in place of a code, as when the user refused; otherwise an error. */
function showProblem(error, _request, response, _next) {
  const answer = error.error_description ?? error.error
  if (!answer) console.error(error)
  const text = answer ?? 'Please try again.'
  response.status(answer ? 400 : 500).send(renderProblem('That did not work', text))
}
