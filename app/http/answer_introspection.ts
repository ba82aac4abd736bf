import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseBasic } from '#oidc/clients/authenticate_client'
import { readSource } from '#oidc/request_source'
import { findQuickIntrospection } from '#oidc/tokens/quick_introspection'
import { peekBody } from './peek_body.ts'

/*
 | Answers most introspection requests before the router, which costs ten times as much. Any other
 | request, and every refusal, goes through the router, with its body still to be read.
 */

const FORM = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

const FIELDS = new Set(['token', 'token_type_hint', 'client_id', 'client_secret'])

/** In bytes. It must fit into a stream's buffer of 16 KB. */
const LONGEST_BODY = 8_192

const HEADERS = { 'content-type': 'application/json; charset=utf-8' }

/** Returns false for a request that goes through the router. */
export async function answerIntrospection(request: IncomingMessage, response: ServerResponse) {
  const length = plainLengthOf(request)
  const body = length > 0 ? await peekBody(request, length) : null
  const asked = body === null ? null : readForm(body, request.headers.authorization)
  if (!asked) return false
  const { ip } = readSource(request)
  /** A failure occurs again behind the router, which reports it. */
  const json = await findQuickIntrospection({ ...asked, ip }).catch(() => null)
  if (json === null) return false
  request.resume()
  response.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(json) }).end(json)
  return true
}

/** Returns zero for a body that is not a short form. */
function plainLengthOf({ headers }: IncomingMessage) {
  const isForm = FORM.test(headers['content-type'] ?? '')
  if (!isForm || headers['content-encoding'] || headers['transfer-encoding']) return 0
  const length = Number(headers['content-length'] ?? 0)
  return length <= LONGEST_BODY ? length : 0
}

function readForm(body: string, authorization?: string) {
  const pairs = [...new URLSearchParams(body)]
  const fields = new Map(pairs)
  const isPlain = fields.size === pairs.length && pairs.every(([name]) => FIELDS.has(name))
  const credentials = authorization ? parseBasic(authorization) : credentialsOf(fields)
  const token = fields.get('token')
  return isPlain && credentials && token ? { token, credentials } : null
}

function credentialsOf(fields: Map<string, string>) {
  const [clientId, secret] = ['client_id', 'client_secret'].map((name) => fields.get(name))
  if (clientId === undefined || secret === undefined) return null
  return { clientId, candidates: [secret] }
}
