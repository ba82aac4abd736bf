import type { HttpContext } from '@adonisjs/core/http'
import { E_INVALID_TOKEN } from '#auth/errors'
import { throttleRedemption } from '#auth/lockout/throttle'

/**
 * The token of the link that was followed. Pages only look at it and put it into their
 * form: programs that check mails follow every link, and must not use it up.
 */
export function linkToken({ request }: HttpContext) {
  const { token } = request.qs()
  return typeof token === 'string' && token.length <= 256 ? token : ''
}

/** Does what a link allows, once; null when it allows nothing any more. */
export async function redeemLink<T>(
  { request }: HttpContext,
  redeem: (token: string) => Promise<T>
): Promise<T | null> {
  await throttleRedemption(request.ip())
  try {
    return await redeem(String(request.body().token ?? ''))
  } catch (error) {
    if (error instanceof E_INVALID_TOKEN) return null
    throw error
  }
}

interface Message {
  title: string
  text: string
}

/** A page that says how it went. */
export function renderMessage({ view }: HttpContext, message: Message) {
  return view.render('admin/message', { ...message, link: null, requestId: null })
}

/** The answer to a link that was used, replaced by a newer one or has expired. */
export function renderUseless(ctx: HttpContext) {
  ctx.response.status(404)
  return renderMessage(ctx, {
    title: 'This link leads nowhere',
    text: 'It was used already, a newer mail has replaced it, or it has expired. Ask for another mail and use the link in that one.',
  })
}
