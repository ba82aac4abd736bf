import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import { errorBody, toProblem } from '#exceptions/problem'
import { ADVERTISED_PATHS, findProviderRoute, openidRouteName } from '#start/routes/oauth'
import { isDraining } from './lifecycle.ts'
import { dropLongHeaders } from './long_headers.ts'
import { countOnceAnswered, isCounting } from './count_requests.ts'
import { isLogging, logRequest } from '#http/log/requests'
import { dropTraceContext, inSpan, isTracing, nameRequest } from '#telemetry/spans'
import { isTrustedProxy } from '#config/app'
import { ProtectedResponse } from './response.ts'
import { routePattern } from './route_pattern.ts'
import { warnUntrustedProxy } from './untrusted_proxy.ts'
import { requestIdOf } from './request_id.ts'

/* Middleware does not run for errors and 404s, so this file prepares every request. */

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

const VERSIONS: unknown[] = ['1', '2']

/**
 * `/api/x` and `/api/v1/x` become `/x`. The path decides before the header. An unknown version
 * becomes a path that refuses it.
 */
export function canonicalPath(url: string, versionHeader?: string | string[]) {
  if (versionHeader === undefined && !url.startsWith('/api/')) return url
  const [prefix, inPath] = /^\/api(?:\/v(\d{1,9}))?(?=\/)/.exec(url) ?? ['']
  const inHeader = versionHeader ?? '1'
  const version = inPath ?? inHeader
  if (!VERSIONS.includes(inHeader) || !VERSIONS.includes(version)) return '/api/unsupported'
  const path = url.slice(prefix.length)
  return version === '2' ? `/api/v2${path}` : path
}

/** The router answers undecodable paths in its own format, so they are escaped first. */
function toDecodable(url: string) {
  if (!url.includes('%')) return url
  const [path, ...query] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

function prepare(request: IncomingMessage, response: ProtectedResponse) {
  warnUntrustedProxy(request)
  dropLongHeaders(request)
  response.requestId = requestIdOf(request)
  if (isDraining()) response.setHeader('connection', 'close')
  request.url = toDecodable(canonicalPath(request.url!, request.headers['x-api-version']))
}

export function createHttpServer(handle: Handler): Server {
  const [isLogged, isTraced] = [isLogging(), isTracing()]
  const options = {
    ServerResponse: ProtectedResponse as typeof ServerResponse,
    /** By default, a slow sender (slowloris) could stay connected for 30 more seconds. */
    connectionsCheckingInterval: 1_000,
  }
  const server = createServer(options, (request, response) => {
    prepare(request, response as ProtectedResponse)
    if (isTraced) nameRequest(response, routePattern(request.method!, request.url!))
    if (isCounting()) countOnceAnswered(request, response)
    if (isLogged) logRequest(request, response as ProtectedResponse)
    void answer(request, response as ProtectedResponse, handle)
  })
  return isTraced ? filterTraceContext(server) : server
}

/** Overrides `emit`, because the tracing library reads a request before any listener here. */
function filterTraceContext(server: Server) {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...args: unknown[]) => {
    if (event === 'request') {
      const [request] = args as [IncomingMessage]
      if (!isTrustedProxy(request.socket.remoteAddress ?? '')) dropTraceContext(request)
    }
    return emit(event, ...args)
  }
  return server
}

async function answer(request: IncomingMessage, response: ProtectedResponse, handle: Handler) {
  const name = isTracing() ? openidRouteName(request.url!) : undefined
  const work = () => route(request, response, handle)
  try {
    await (name ? inSpan(`openid ${name}`, work) : work())
  } catch (error) {
    answerError(response, error)
  }
}

async function route(request: IncomingMessage, response: ProtectedResponse, handle: Handler) {
  if (isProviderRequest(request)) return answerByProvider(request, response, handle)
  const isAnswered = isIntrospection(request) && (await introspectAtOnce(request, response))
  if (!isAnswered) await handle(request, response)
}

/** The library answers OPTIONS only for scripts (CORS). */
function isProviderRequest({ method = '', url = '', headers }: IncomingMessage) {
  if (method === 'OPTIONS' && !headers['access-control-request-method']) return false
  return findProviderRoute(url)?.methods.includes(method) ?? false
}

function isIntrospection({ method, url }: IncomingMessage) {
  return method === 'POST' && url === ADVERTISED_PATHS.introspection
}

async function introspectAtOnce(request: IncomingMessage, response: ServerResponse) {
  const { answerIntrospection } = await import('./answer_introspection.ts')
  return answerIntrospection(request, response)
}

let loading: Promise<typeof import('#oidc/provider/dispatch').dispatch> | undefined

/** The library is loaded at its first request, for a faster start. */
async function answerByProvider(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handler
) {
  loading ??= import('#oidc/provider/dispatch').then((module) => module.dispatch)
  const dispatch = await loading
  await dispatch(request, response, handle)
}

/** An answer that has begun cannot become an error. */
function answerError(response: ProtectedResponse, error: unknown) {
  const problem = toProblem(error)
  if (problem.status === 500) logger.error({ err: error }, 'request failed')
  if (response.headersSent) return void (response.writableEnded || response.destroy())
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(problem.status, { ...type, ...problem.headers })
  response.end(JSON.stringify(errorBody(problem, response.requestId)))
}
