import type { HttpContext } from '@adonisjs/core/http'
import type { DeviceCode } from 'oidc-provider'
import {
  approveDevice,
  findDeviceCode,
  formatUserCode,
  refuseDevice,
  requestOfDevice,
} from '#oidc/interactions/device_flow'
import { nextStepForDevice, type SignInStep } from '#oidc/interactions/interactions'
import { shownScopes } from '#oidc/consents/requested_access'
import { countSignedOut } from '#oidc/grants/sign_out'
import { hostOf } from '#oidc/clients/redirect_uris'
import { oidcProvider } from '#oidc/provider/provider'
import { actorOf } from '#http/request_source'
import { renderStop } from '#pages/clients/application_pages'
import { withNext } from '#pages/sign_in/next_path'

export default class DeviceCodesController {
  create(ctx: HttpContext) {
    const { user_code: code } = ctx.request.qs()
    return renderForm(ctx, typeof code === 'string' ? code.slice(0, 20) : '')
  }

  async show(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderForm(ctx, userCode, true)
    const caller = ctx.auth.use('web').getUserOrFail()
    const step = await nextStepForDevice(code, caller)
    return step === 'done' ? renderConsent(ctx, code, userCode) : leadToStep(ctx, code, step)
  }

  async store(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderForm(ctx, userCode, true)
    if (ctx.request.body().decision !== 'allow') {
      await refuseDevice(code)
      return renderStop(ctx, { reason: 'device_refused' })
    }
    const caller = ctx.auth.use('web').getUserOrFail()
    const step = await nextStepForDevice(code, caller)
    if (step !== 'done') return leadToStep(ctx, code, step)
    const scopes = shownScopes(await requestOfDevice(code))
    if (ctx.request.body().scopes !== scopes.join(' ')) return renderConsent(ctx, code, userCode)
    const isApproved = await approveDevice(code, caller.session, actorOf(ctx))
    return isApproved ? renderStop(ctx, { reason: 'device_done' }) : renderForm(ctx, userCode, true)
  }
}

async function renderConsent(ctx: HttpContext, code: DeviceCode, userCode: string) {
  const { user, session } = ctx.auth.use('web').getUserOrFail()
  const access = await requestOfDevice(code)
  const about = { name: await nameOf(code), userCode: formatUserCode(userCode), user }
  const back = pathOf(userCode)
  const request = { scopes: shownScopes(access), hosts: access.resources.map(hostOf) }
  const signedOut = await countSignedOut(session)
  return ctx.view.render('applications/device_consent', { ...about, ...request, back, signedOut })
}

async function nameOf({ clientId }: DeviceCode) {
  const client = await oidcProvider().Client.find(clientId)
  return client?.clientName ?? clientId
}

/** After the proof the user returns to the code and sees again which device waits. */
async function leadToStep(ctx: HttpContext, code: DeviceCode, step: SignInStep) {
  if (step === 'confirm') {
    const page = withNext('/confirm', pathOf(typedCode(ctx)))
    return ctx.response.redirect().status(303).toPath(page)
  }
  ctx.response.status(403)
  return renderStop(ctx, { reason: step, name: await nameOf(code) })
}

function pathOf(userCode: string) {
  return `/oauth/device?${new URLSearchParams({ user_code: userCode })}`
}

function typedCode({ request }: HttpContext) {
  return String(request.body().user_code ?? '').slice(0, 20)
}

function renderForm({ view, response }: HttpContext, userCode: string, isWrong = false) {
  if (isWrong) response.status(422)
  return view.render('applications/device', { userCode, isWrong })
}
