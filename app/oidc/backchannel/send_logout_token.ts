import logger from '@adonisjs/core/services/logger'
import settings from '#config/oidc'
import { findClient } from '#oidc/clients/client_rows'
import { issueLogoutToken, type LogoutMessage } from './logout_token.ts'

/** 400 refuses the message itself: another try would not help. */
const REFUSED = 400

/** @throws the error of the request, unless the application has refused the message */
export async function sendLogoutToken(
  message: LogoutMessage,
  { isLastTry }: { isLastTry: boolean }
) {
  const current = await withCurrentReceiver(message)
  if (current === null) return
  const failure = await send(current.uri, await issueLogoutToken(current))
  if (failure === null) return
  const isFinal = isLastTry || failure.status === REFUSED
  const { clientId, sessionId } = message
  logger.warn({ clientId, sessionId, isFinal, ...failure }, 'back-channel logout failed')
  if (failure.status !== REFUSED) throw new Error(`back-channel logout failed: ${failure.reason}`)
}

/** The address may have been corrected. A deleted client keeps its last address. */
async function withCurrentReceiver(message: LogoutMessage): Promise<LogoutMessage | null> {
  const client = await findClient(message.clientId)
  const isSame = client !== null && client.id === message.clientRowId
  /** An earlier version queued messages without an algorithm. */
  if (!isSame) return { ...message, algorithm: message.algorithm ?? 'ES256' }
  const { backchannelLogoutUri: uri, idTokenAlgorithm: algorithm } = client
  return uri === null ? null : { ...message, uri, algorithm }
}

/** An administrator registered the address, which may be private. The answer is not read. */
async function send(uri: string, token: string) {
  try {
    const response = await fetch(uri, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ logout_token: token }),
      signal: AbortSignal.timeout(settings.logouts.timeoutMs),
    })
    await response.body?.cancel()
    const { ok, status } = response
    return ok ? null : { status, reason: `answered ${status}` }
  } catch (error) {
    return { status: null, reason: reasonOf(error) }
  }
}

function reasonOf({ message, cause }: any): string {
  return cause?.code ?? cause?.message ?? message
}
