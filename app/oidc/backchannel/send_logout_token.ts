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
  const uri = await currentUri(message)
  if (uri === null) return
  const failure = await send(uri, await issueLogoutToken(message))
  if (failure === null) return
  const isFinal = isLastTry || failure.status === REFUSED
  const { clientId, sessionId } = message
  logger.warn({ clientId, sessionId, isFinal, ...failure }, 'back-channel logout failed')
  if (failure.status !== REFUSED) throw new Error(`back-channel logout failed: ${failure.reason}`)
}

/** The address may have been corrected; a deleted client keeps its last one. */
async function currentUri({ clientId, uri }: LogoutMessage) {
  const client = await findClient(clientId)
  return client ? client.backchannelLogoutUri : uri
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
