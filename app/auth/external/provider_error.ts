import logger from '@adonisjs/core/services/logger'
import { E_EXTERNAL_LOGIN_FAILED, E_PROVIDER_FAILED, E_PROVIDER_TIMEOUT } from '#auth/errors'
import { Refusal } from '#exceptions/refusal'

/** An unusable discovery document is the provider's error, not an attack. */
export class DiscoveryError extends Error {
  name = 'DiscoveryError'
}

/** The code is for the log, and quotes nothing from the response. */
export class AnswerError extends Error {
  name = 'AnswerError'

  constructor(readonly code: string) {
    super(code)
  }
}

export function unreadable(code: string) {
  return new E_PROVIDER_FAILED(undefined, { cause: new AnswerError(code) })
}

/** Answers 504 for a slow provider, 502 for a broken one, 401 for an unverifiable response. */
export function providerRefusal(provider: string, error: unknown): Refusal {
  const causes = causesOf(error)
  const refusal = toRefusal(causes, error)
  const reasons = causes.map(describe)
  logger.warn({ provider, code: refusal.code, reasons }, 'answer of an external provider refused')
  return refusal
}

function toRefusal(causes: CodedError[], cause: unknown): Refusal {
  const refusal = causes.find((each) => each instanceof Refusal)
  if (refusal) return refusal
  if (causes.some(isTimeout)) return new E_PROVIDER_TIMEOUT()
  if (causes[0] instanceof TypeError || causes.some(isBroken)) return new E_PROVIDER_FAILED()
  return new E_EXTERNAL_LOGIN_FAILED(undefined, { cause })
}

/** The code of a timeout is a number. */
type CodedError = Error & { code?: string | number }

// Skips causes that are not errors, because they contain bodies and claims.
function causesOf(error: unknown): CodedError[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

function isTimeout({ name }: Error) {
  return name === 'TimeoutError' || name === 'AbortError'
}

// Returns false for a malformed ID token, which may be forged.
function isBroken(error: CodedError) {
  const { code, message } = error
  if (error instanceof DiscoveryError || code === 'OAUTH_RESPONSE_IS_NOT_JSON') return true
  return code === 'OAUTH_PARSE_ERROR' && message.includes('"response" body')
}

// Logs only messages of the protocol library: other messages may quote tokens of a body.
function describe({ name, code, message }: CodedError) {
  return String(code).startsWith('OAUTH_') ? `${code}: ${message}` : String(code || name)
}

export function reasonOf(refusal: Refusal) {
  const coded = causesOf(refusal.cause).find(({ code }) => typeof code === 'string')
  return coded ? String(coded.code) : null
}
