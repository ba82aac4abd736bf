import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { SessionCache } from './session_cache.js'

/* A service that asks Gatehouse once for each token, and forgets a session when it ends. */

const { ISSUER = 'http://localhost:3333', PORT = '4200', API_KEY, WEBHOOK_SECRET } = process.env

const webhook = new Webhook(WEBHOOK_SECRET)
const cache = new SessionCache()

async function whoAsks(token) {
  const known = cache.find(token)
  if (known) return { ...known, isRemembered: true }
  const { ends } = cache
  const response = await fetch(`${ISSUER}/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}` },
    body: new URLSearchParams({ token }),
  })
  if (!response.ok) throw new Error(`Gatehouse answered ${response.status}`)
  const answer = await response.json()
  if (!answer.active) return null
  cache.keep(token, answer, ends)
  return answer
}

async function orders(request, response) {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const caller = token ? await whoAsks(token) : null
  if (!caller) return response.writeHead(401).end()
  const body = { orders: [], for: caller.sub, isRemembered: caller.isRemembered ?? false }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers immediately: Gatehouse waits 15 seconds, and tries again without an answer of 2xx. */
async function receive(request, response) {
  const body = await text(request)
  try {
    const { data } = webhook.verify(body, request.headers)
    cache.drop(data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}

const ROUTES = { 'GET /orders': orders, 'POST /gatehouse': receive }

createServer((request, response) => {
  const answer = ROUTES[`${request.method} ${request.url}`]
  if (!answer) return response.writeHead(404).end()
  answer(request, response).catch(() => response.writeHead(503).end())
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Orders are at http://127.0.0.1:${PORT}`))
