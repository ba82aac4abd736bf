import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import documentation from '#config/documentation'
import { clearDocumentationThrottle, throttleDocumentation } from '#auth/lockout/throttle'
import { E_UNAUTHORIZED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/** The documentation for everybody, for whoever knows its password, or for nobody. */
export default class DocumentationMiddleware {
  async handle({ request }: HttpContext, next: NextFn) {
    if (documentation.access === 'off') throw new E_NOT_FOUND()
    if (documentation.access === 'basic') await this.#checkPassword(request)
    return next()
  }

  /** A try is counted before it is looked at, so that parallel ones count too. */
  async #checkPassword(request: HttpRequest) {
    const given = request.header('authorization')
    if (!given) throw askForPassword()
    await throttleDocumentation(request.ip())
    if (!isRight(given)) throw askForPassword()
    await clearDocumentationThrottle(request.ip())
  }
}

function askForPassword() {
  const refusal = new E_UNAUTHORIZED()
  refusal.headers['www-authenticate'] = 'Basic realm="API documentation", charset="UTF-8"'
  return refusal
}

/** RFC 7617. Hashes of one length are compared: the time taken tells nothing of the password. */
function isRight(given: string) {
  const [, credentials = ''] = /^basic +([\w+/]+=*) *$/i.exec(given) ?? []
  const expected = Buffer.from(`${documentation.user}:${documentation.password}`)
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  return timingSafeEqual(digest(Buffer.from(credentials, 'base64')), digest(expected))
}
