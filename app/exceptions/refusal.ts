import { Exception } from '@adonisjs/core/exceptions'

/**
 * An expected error: the request is refused. The class has the status and the code, and
 * `app/exceptions/handler.ts` renders it.
 */
export class Refusal extends Exception {
  /** Headers of the response, such as `Retry-After`. */
  headers: Record<string, string> = {}

  /** Further members of the body, such as `attemptsRemaining`. */
  members: Record<string, unknown> = {}

  /** Values of the message that pages show, which is translated. */
  values: Record<string, string> = {}

  /** The key of the message that pages show, where it tells more than the one of the code. */
  pageMessage: string | null = null

  /** Gives the message that pages show a key of its own. */
  onPages(key: string) {
    this.pageMessage = key
    return this
  }

  /** Adds members to the body of the response. */
  with(members: Record<string, unknown>) {
    Object.assign(this.members, members)
    return this
  }

  /** Adds values to the message that pages show. */
  withValues(values: Record<string, string>) {
    Object.assign(this.values, values)
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

/** The class that `refusal` declares. */
export type RefusalClass = ReturnType<typeof refusal>
