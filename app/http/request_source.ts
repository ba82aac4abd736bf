import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import type { Caller } from '#auth/guards/caller'
import { anonymousActor, clientActor, keyActor, userActor, type Actor } from '#audit/actor'
import { invalidField } from '#exceptions/http_errors'
import { recognitionOf } from './device_cookie.ts'
import { DEFAULT_DEVICE_ID, type Device } from '#auth/sessions/device'

const DEVICE_ID = new RegExp(`^[\\x20-\\x7e]{1,${limits.deviceId}}$`)

export function sourceOf({ request }: HttpContext) {
  const userAgent = request.request.headers['user-agent']?.slice(0, limits.userAgent)
  return { ip: request.ip(), userAgent: userAgent ?? null }
}

export function deviceOf(ctx: HttpContext): Device {
  const id = ctx.request.header('x-device-id')
  if (id !== undefined && !DEVICE_ID.test(id)) {
    const message = `The x-device-id header must be 1 to ${limits.deviceId} printable ASCII characters`
    throw invalidField('x-device-id', 'regex', message)
  }
  const recognition = recognitionOf(ctx, id)
  return { id: id ?? DEFAULT_DEVICE_ID, recognition, ...sourceOf(ctx) }
}

export function actorOf(ctx: HttpContext): Actor {
  const caller: Caller | undefined = ctx.auth?.use('api').user ?? ctx.auth?.use('web').user
  if (!caller) return anonymousActor(sourceOf(ctx))
  const { user, session, apiKey, client } = caller
  const actor = userActor(user.id, sourceOf(ctx))
  if (apiKey) return keyActor(apiKey.id, actor)
  if (client) return clientActor(client.id, { ...actor, sessionId: session.id })
  const hasRecentAuthentication = ctx.auth.use('web').user?.hasRecentAuthentication
  return { ...actor, sessionId: session.id, hasRecentAuthentication }
}
