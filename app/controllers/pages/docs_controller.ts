import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { useRequestLanguage } from '#pages/reader_language'
import { E_NOT_FOUND, invalidField } from '#exceptions/http_errors'

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const FILES = new Map([
  ['swagger-ui.css', join(swaggerUi, 'swagger-ui.css')],
  ['swagger-ui-bundle.js', join(swaggerUi, 'swagger-ui-bundle.js')],
  ['tokens.css', app.makePath('resources/css/tokens.css')],
  ['api_docs.css', app.makePath('resources/css/api_docs.css')],
  ['api_docs.js', app.makePath('resources/js/api_docs.js')],
])

const contents = new Map<string, Buffer>()

/** Reads a file at its first request, because many installations never need it. */
async function readOnce(path: string) {
  const content = contents.get(path) ?? (await readFile(path))
  contents.set(path, content)
  return content
}

/** Runs only the scripts with the nonce of this page, and loads nothing from other origins. */
function policy(nonce: string) {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export default class DocsController {
  /** The page's own texts use the reader's language; operations and the library are in English. */
  show(ctx: HttpContext) {
    const { request, response, view } = ctx
    useRequestLanguage(ctx)
    const nonce = randomBytes(16).toString('base64url')
    response.header('content-security-policy', policy(nonce))
    /** The page may be below another path of a proxy, and has a second address with a slash. */
    const up = request.url().endsWith('/') ? '../' : ''
    return view.render('docs/api_docs', { nonce, up })
  }

  async json({ request, response }: HttpContext) {
    const { apiDocumentJson, isOpenApiVersion, OPENAPI_VERSIONS } =
      await import('#openapi/document')
    const version = request.input('openapi', '3.0')
    if (!isOpenApiVersion(version)) {
      throw invalidField('openapi', 'enum', `openapi must be ${OPENAPI_VERSIONS.join(' or ')}`)
    }
    response.header('cache-control', 'no-cache')
    response.header('content-type', 'application/json; charset=utf-8')
    return response.send(await apiDocumentJson(version), true)
  }

  async file({ params, response }: HttpContext) {
    const path = FILES.get(params.file)
    if (!path) throw new E_NOT_FOUND()
    response.header('cache-control', 'private, no-cache')
    response.type(path.endsWith('.css') ? 'text/css' : 'text/javascript')
    return response.send(await readOnce(path), true)
  }
}
