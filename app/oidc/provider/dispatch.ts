import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  ANSWER_PATH,
  DISCOVERY_ROUTES,
  FAILURE_PATH,
  findProviderRoute,
  WRITING_ROUTES,
} from '#start/routes/oauth'
import { asOneRequest } from '#database/configuration_version'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { publishIdentityKey } from '#auth/signing_keys/public_keys'
import { toProblem } from '#exceptions/problem'
import { answerUserinfo } from './answer_userinfo.ts'
import { failureOf, isForBrowser, rememberFailure } from './failures.ts'
import { formPostResponseOf } from './form_post.ts'
import { ownHeaders } from './own_headers.ts'
import { providerCallback } from './provider.ts'
import { signInPageOf } from './sign_in_form.ts'
import { readSource, rememberSource } from '#oidc/request_source'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** `handle` renders pages. */
export function dispatch(request: IncomingMessage, response: ServerResponse, handle: Handle) {
  return asOneRequest(() => answer(request, response, handle))
}

async function answer(request: IncomingMessage, response: ServerResponse, handle: Handle) {
  const { headers, url } = request
  const source = readSource(request)
  rememberSource(request, source)
  try {
    const { name } = findProviderRoute(url!)!
    if (name === 'userinfo' && (await answerUserinfo(request, response))) return
    if (DISCOVERY_ROUTES.includes(name)) await publishIdentityKey()
    if (WRITING_ROUTES.includes(name)) await throttleAddress('oauth', source.ip)
    request.headers = ownHeaders(headers, source.ip)
    // RFC 6749, section 5.1.
    if (name === 'token') response.setHeader('pragma', 'no-cache')
    await providerCallback()(request, response)
  } catch (error) {
    refuse(request, response, error)
  }
  request.headers = headers
  const page = pageOf(request)
  if (!page || response.writableEnded) return
  if (!failureOf(request) && signInPageOf(request)) dropRedirect(request, response)
  // Koa has set the reason phrase of another status.
  response.statusMessage = ''
  request.url = page
  request.method = 'GET'
  await handle(request, response)
}

/** A failure takes precedence, even if it came after an answer. */
function pageOf(request: IncomingMessage) {
  if (failureOf(request)) return FAILURE_PATH
  const signIn = signInPageOf(request)
  if (signIn) return signIn.path
  return formPostResponseOf(request) ? ANSWER_PATH : null
}

/** The cookies of a stored request stay: they belong to the browser that asked. */
function dropRedirect(request: IncomingMessage, response: ServerResponse) {
  response.removeHeader('location')
  response.statusCode = 200
  if (!signInPageOf(request)!.isStored) response.removeHeader('set-cookie')
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown) {
  const { status, message, headers } = toProblem(error)
  if (status >= 500 && status !== 503) throw error
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const unavailable = 'temporarily_unavailable'
  if (isForBrowser(request)) return rememberFailure(request, { status, error: unavailable })
  const out = { error: status === 429 ? 'slow_down' : unavailable, error_description: message }
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(out))
}
