import type { HttpContext } from '@adonisjs/core/http'
import type { DeviceCode } from 'oidc-provider'
import { formatUserCode, requestOfDevice } from '#oidc/interactions/device_flow'
import { shownScopes } from '#oidc/consents/requested_access'
import { countSignedOut } from '#oidc/grants/sign_out'
import { hostOf } from '#oidc/clients/redirect_uris'
import { oidcProvider } from '#oidc/provider/provider'
import { needsVerifiedAddress } from '#oidc/provider/verified_address'
import { renderVerifiedAddress } from './verified_address_page.ts'
import { pathOfDevice, waitingDevice } from './waiting_sign_in.ts'

export function typedCode({ request }: HttpContext) {
  return String(request.body().user_code ?? '').slice(0, 20)
}

export function renderDeviceForm(
  { view, response }: HttpContext,
  userCode: string,
  isWrong = false
) {
  if (isWrong) response.status(422)
  return view.render('applications/device', { userCode, isWrong })
}

/** Renders the consent, or first the page that asks to confirm the address. */
export async function renderDeviceConsent(ctx: HttpContext, code: DeviceCode) {
  const userCode = typedCode(ctx)
  if (await waitsForAddress(ctx, code)) return renderAddress(ctx, code, userCode)
  const { user, session } = ctx.auth.use('web').getUserOrFail()
  const access = await requestOfDevice(code)
  const about = { name: await nameOfDevice(code), userCode: formatUserCode(userCode), user }
  const request = { scopes: shownScopes(access), hosts: access.resources.map(hostOf) }
  const back = pathOfDevice(userCode)
  const signedOut = await countSignedOut(session)
  return ctx.view.render('applications/device_consent', { ...about, ...request, back, signedOut })
}

export async function waitsForAddress({ auth }: HttpContext, { clientId, params }: DeviceCode) {
  const client = await oidcProvider().Client.find(clientId)
  const { user } = auth.use('web').getUserOrFail()
  return client !== undefined && needsVerifiedAddress(client, params, user)
}

async function renderAddress(ctx: HttpContext, code: DeviceCode, userCode: string) {
  const name = await nameOfDevice(code)
  return renderVerifiedAddress(ctx, waitingDevice(ctx, code, { name, userCode }))
}

export async function nameOfDevice({ clientId }: DeviceCode) {
  const client = await oidcProvider().Client.find(clientId)
  return client?.clientName ?? clientId
}
