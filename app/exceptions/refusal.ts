import { Exception } from '@adonisjs/core/exceptions'

/**
 * A request that is answered with an error on purpose. The status and the code stand on
 * the class; `app/exceptions/handler.ts` is the only place that renders it.
 */
export class Refusal extends Exception {
  /** Headers of the response, such as `Retry-After`. */
  headers: Record<string, string> = {}

  /** Further members of the body, such as `attemptsRemaining`. */
  members: Record<string, unknown> = {}

  /** Adds members to the body of the response. */
  with(members: Record<string, unknown>) {
    Object.assign(this.members, members)
    return this
  }

  /** Tells the client after how many seconds another attempt makes sense. */
  retryAfter(seconds: number) {
    this.headers['retry-after'] = String(Math.max(1, Math.ceil(seconds)))
    return this
  }
}

/** Declares an error by its HTTP status, its code and its message. */
export function refusal(status: number, code: string, message: string) {
  const declared = class extends Refusal {
    static status = status
    static code = code
    static message = message
  }
  Object.defineProperty(declared, 'name', { value: code })
  return declared
}

/** What `refusal` declares. */
export type RefusalClass = ReturnType<typeof refusal>
