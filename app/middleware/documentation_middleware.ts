import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import documentation from '#config/documentation'
import { clearAddressThrottle, throttleAddress } from '#auth/lockout/address_throttle'
import { E_UNAUTHORIZED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'

export default class DocumentationMiddleware {
  async handle({ request }: HttpContext, next: NextFn) {
    if (documentation.access === 'off') throw new E_NOT_FOUND()
    if (documentation.access === 'basic') await this.#checkPassword(request)
    return next()
  }

  /** An attempt is counted before it is verified, so that parallel guesses also count. */
  async #checkPassword(request: HttpRequest) {
    const given = request.header('authorization')
    if (!given) throw basicChallenge()
    await throttleAddress('documentation', request.ip())
    if (!isCorrect(given)) throw basicChallenge()
    await clearAddressThrottle('documentation', request.ip())
  }
}

function basicChallenge() {
  const refusal = new E_UNAUTHORIZED()
  refusal.headers['www-authenticate'] = 'Basic realm="API documentation", charset="UTF-8"'
  return refusal
}

/** RFC 7617. Hashes of one length are compared in constant time, against timing attacks. */
function isCorrect(given: string) {
  const [, credentials = ''] = /^basic +([\w+/]+=*) *$/i.exec(given) ?? []
  const expected = Buffer.from(`${documentation.user}:${documentation.password}`)
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  return timingSafeEqual(digest(Buffer.from(credentials, 'base64')), digest(expected))
}
