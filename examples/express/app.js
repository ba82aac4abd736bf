import { fileURLToPath } from 'node:url'
import express from 'express'
import { cookieJar } from './cookies.js'
import { renderHome, renderProblem, renderWelcome } from './pages.js'
import { findSession } from './sessions.js'
import { signInRoutes } from './sign_in.js'
import { signOutRoutes } from './sign_out.js'
import { tokenRoutes } from './tokens.js'

const PUBLIC = fileURLToPath(new URL('public', import.meta.url))

/** The pages load nothing from other sites, are in no frame, and are not cached. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

export function createApp({ baseUrl, clientId }, provider) {
  const cookies = cookieJar(baseUrl)
  /** Addresses use our base URL, never the Host header, which a stranger may have written. */
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

/** Shows the provider's answer in place of a code, as after a refusal, or else a general error. */
function showProblem(error, _request, response, _next) {
  const answer = error.error_description ?? error.error
  if (!answer) console.error(error)
  const text = answer ?? 'Please try again.'
  response.status(answer ? 400 : 500).send(renderProblem('That did not work', text))
}
