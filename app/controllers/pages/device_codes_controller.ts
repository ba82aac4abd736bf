import type { HttpContext } from '@adonisjs/core/http'
import { approveDevice, findDeviceCode, refuseDevice, requestOfDevice } from '#oidc/device_flow'
import { hostOf } from '#oidc/clients/redirect_uris'
import { oidcProvider } from '#oidc/provider'
import { actorOf } from '#http/request_origin'
import { renderStop } from '#pages/application_pages'

/** The page on which people type the code that a device shows. */
export default class DeviceCodesController {
  create(ctx: HttpContext) {
    const { user_code: code } = ctx.request.qs()
    return renderForm(ctx, typeof code === 'string' ? code.slice(0, 20) : '')
  }

  async show(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderForm(ctx, userCode, true)
    const client = await oidcProvider().Client.find(code.clientId)
    const { user } = ctx.auth.use('web').getUserOrFail()
    const { scopes, resources } = await requestOfDevice(code)
    const about = { name: client?.clientName ?? code.clientId, userCode, user }
    const request = { scopes, hosts: resources.map(hostOf) }
    return ctx.view.render('applications/device_consent', { ...about, ...request })
  }

  async store(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderForm(ctx, userCode, true)
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    if (ctx.request.body().decision !== 'allow') {
      await refuseDevice(code)
      return renderStop(ctx, { reason: 'device_refused' })
    }
    if (user.isLocked()) return refuse(ctx, 'locked')
    const isApproved = await approveDevice(code, session, actorOf(ctx))
    return isApproved ? renderStop(ctx, { reason: 'device_done' }) : renderForm(ctx, userCode, true)
  }
}

function refuse(ctx: HttpContext, reason: string) {
  ctx.response.status(403)
  return renderStop(ctx, { reason })
}

function typedCode({ request }: HttpContext) {
  return String(request.body().user_code ?? '').slice(0, 20)
}

function renderForm({ view, response }: HttpContext, userCode: string, isWrong = false) {
  if (isWrong) response.status(422)
  return view.render('applications/device', { userCode, isWrong })
}
