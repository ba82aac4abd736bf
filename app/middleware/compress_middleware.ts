import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { bearerToken } from '#auth/guards/api/bearer'

/*
 | Only marked routes compress: a compressed length reveals a secret letter by letter to an attacker
 | who adds guesses (BREACH). Answers with tokens, codes or CSRF tokens are not compressed.
 */

/** A shorter answer fits into one packet. */
const THRESHOLD = 1_024

/** A list of a hundred users takes a millisecond; level 9 takes thirty and saves nothing more. */
const BROTLI_QUALITY = 5

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const ENCODERS = {
  br: (body: Buffer) =>
    toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => toGzip(body),
}

type Encoding = keyof typeof ENCODERS

/** Caches results, so that a client cannot exhaust the processor by repeated requests. */
const compressed = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()

function compress(body: Buffer, encoding: Encoding) {
  const known = compressed.get(body) ?? {}
  compressed.set(body, known)
  return (known[encoding] ??= ENCODERS[encoding](body))
}

/** `public` is the same for every client, `private` for the bearer of a token. */
interface CompressOptions {
  answer: 'public' | 'private'
}

export default class CompressMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { answer }: CompressOptions) {
    await next()
    const { request, response } = ctx
    const body = bytesOf(ctx)
    if (!body || body.length < THRESHOLD) return
    response.vary('Accept-Encoding')
    const encoding = encodingFor(ctx)
    if (!encoding || (answer === 'private' && !isByBearer(request))) return
    response.header('content-encoding', encoding)
    const [, hasEtag] = response.lazyBody.content!
    response.send(await compress(body, encoding), hasEtag)
  }
}

function bytesOf({ request, response }: HttpContext): Buffer | null {
  const body = response.getBody()
  if (request.method() === 'HEAD' || response.getStatus() !== 200) return null
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return response.getHeader('content-type') ? Buffer.from(body) : null
  if (typeof body !== 'object' || body === null) return null
  response.safeHeader('content-type', 'application/json; charset=utf-8')
  return Buffer.from(JSON.stringify(body))
}

function encodingFor({ request }: HttpContext) {
  const encodings = Object.keys(ENCODERS) as Encoding[]
  return encodings.find((encoding) => request.encoding([encoding]) === encoding)
}

/** For a page of an attacker, browsers send cookies but no Bearer header. */
function isByBearer(request: HttpContext['request']) {
  return bearerToken(request) !== undefined
}
