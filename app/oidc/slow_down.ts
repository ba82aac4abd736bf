import { errors, type Context } from 'oidc-provider'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'

/**
 * `slow_down` is for programs, `temporarily_unavailable` for browsers (RFC 6749, section 4.1.2.1).
 * @throws slow_down with 429 instead of E_TOO_MANY_REQUESTS
 */
export async function withSlowDown<T>(
  { res }: Context,
  description: string,
  step: () => Promise<T>
) {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof E_TOO_MANY_REQUESTS)) throw error
    for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value)
    const refusal = new errors.SlowDown(description)
    throw Object.assign(refusal, { status: 429, statusCode: 429 })
  }
}
