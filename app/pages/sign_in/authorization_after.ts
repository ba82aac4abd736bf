import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import oidc from '#config/oidc'
import { browserIdOfDevice } from '#auth/devices/browser_id'
import { sourceOf } from '#http/request_source'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { AUTHORIZATION, requestedNext } from './next_path.ts'
import type { Device } from '#auth/sessions/device'
import type { Companion } from '#auth/sign_in/candidate'
import type { Authorized } from '#oidc/interactions/prepare_authorization'

interface AuthorizationAfter {
  companion: Companion
  /** Undefined where the request has to be repeated. */
  answer?: Authorized
}

/** The authorization that a right password completes in its own transaction. */
export function authorizationAfter(ctx: HttpContext, { recognition }: Device) {
  const path = requestedNext(ctx)
  if (!oidc.isOn || !AUTHORIZATION.test(path) || ctx.request.body().savedForm) return null
  const { searchParams } = new URL(path, appUrl)
  /** A right password must not wait for the document of a client. */
  if (isMetadataUrl(searchParams.get('client_id') ?? '')) return null
  const browserId = recognition ? browserIdOfDevice(recognition.deviceId) : null
  const asked = { request: ctx.request.request, path, source: sourceOf(ctx), browserId }
  const authorization: AuthorizationAfter = {
    async companion(user, session) {
      const { prepareAuthorization } = await import('#oidc/interactions/prepare_authorization')
      const prepared = await prepareAuthorization(asked, user, session)
      if (!prepared) return null
      return async (trx) => {
        if (await prepared.store(trx)) authorization.answer = prepared
      }
    },
  }
  return authorization
}
