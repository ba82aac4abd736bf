import logger from '@adonisjs/core/services/logger'
import { E_EXTERNAL_LOGIN_FAILED, E_PROVIDER_FAILED, E_PROVIDER_TIMEOUT } from '#auth/errors'
import { Refusal } from '#exceptions/refusal'

/** A discovery document that cannot be used: the fault of the provider, not of an answer. */
export class DiscoveryFault extends Error {
  name = 'DiscoveryFault'
}

/** Why an answer was not read. Its code is for the log, and quotes nothing of the answer. */
export class AnswerFault extends Error {
  name = 'AnswerFault'

  constructor(readonly code: string) {
    super(code)
  }
}

/** The refusal of an answer that was not read. */
export function unreadable(code: string) {
  return new E_PROVIDER_FAILED(undefined, { cause: new AnswerFault(code) })
}

/**
 * The refusal for an error of a step at a provider: 504 for one that is too slow, 502 for
 * one that is down or broken, and 401 for an answer that cannot be verified. The log says
 * why, because the response does not.
 */
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

/** An error and its causes, as far as they are errors: others hold bodies and claims. */
function causesOf(error: unknown): CodedError[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

function isTimeout({ name }: Error) {
  return name === 'TimeoutError' || name === 'AbortError'
}

/** A body that is no JSON, or a fault of discovery. A malformed ID token may be forged instead. */
function isBroken(error: CodedError) {
  const { code, message } = error
  if (error instanceof DiscoveryFault || code === 'OAUTH_RESPONSE_IS_NOT_JSON') return true
  return code === 'OAUTH_PARSE_ERROR' && message.includes('"response" body')
}

/** Only the messages of the protocol library are constant: others may quote tokens of a body. */
function describe({ name, code, message }: CodedError) {
  return String(code).startsWith('OAUTH_') ? `${code}: ${message}` : String(code || name)
}

/** Why an answer could not be verified, in the words of the protocol library. */
export function reasonOf(refusal: Refusal) {
  const coded = causesOf(refusal.cause).find(({ code }) => typeof code === 'string')
  return coded ? String(coded.code) : null
}
