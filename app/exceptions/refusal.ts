import { Exception } from '@adonisjs/core/exceptions'

/** An expected error, which `app/exceptions/handler.ts` renders. */
export class Refusal extends Exception {
  headers: Record<string, string> = {}

  /** Further members of the body, such as `attemptsRemaining`. */
  members: Record<string, unknown> = {}

  values: Record<string, string> = {}

  /** The key of the message on pages, where it tells more than the key of the code. */
  pageMessage: string | null = null

  onPages(key: string) {
    this.pageMessage = key
    return this
  }

  with(members: Record<string, unknown>) {
    Object.assign(this.members, members)
    return this
  }

  withValues(values: Record<string, string>) {
    Object.assign(this.values, values)
    return this
  }

  retryAfter(seconds: number) {
    this.headers['retry-after'] = String(Math.max(1, Math.ceil(seconds)))
    return this
  }
}

export function refusal(status: number, code: string, message: string) {
  const declared = class extends Refusal {
    static status = status
    static code = code
    static message = message
  }
  Object.defineProperty(declared, 'name', { value: code })
  return declared
}

export type RefusalClass = ReturnType<typeof refusal>
