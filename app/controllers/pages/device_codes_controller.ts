import type { HttpContext } from '@adonisjs/core/http'
import type { DeviceCode } from 'oidc-provider'
import {
  approveDevice,
  findDeviceCode,
  refuseDevice,
  refuseWithoutAccess,
  requestOfDevice,
} from '#oidc/interactions/device_flow'
import { nextStepForDevice, type SignInStep } from '#oidc/interactions/interactions'
import { shownScopes } from '#oidc/consents/requested_access'
import { actorOf } from '#http/request_source'
import {
  nameOfDevice,
  renderDeviceConsent,
  renderDeviceForm,
  typedCode,
  waitsForAddress,
} from '#pages/applications/device_pages'
import { pathOfDevice } from '#pages/applications/waiting_sign_in'
import { renderStop } from '#pages/clients/application_pages'
import { withNext } from '#pages/sign_in/next_path'

export default class DeviceCodesController {
  create(ctx: HttpContext) {
    const { user_code: code } = ctx.request.qs()
    return renderDeviceForm(ctx, typeof code === 'string' ? code.slice(0, 20) : '')
  }

  async show(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderDeviceForm(ctx, userCode, true)
    const caller = ctx.auth.use('web').getUserOrFail()
    const step = await nextStepForDevice(code, caller)
    return step === 'done' ? renderDeviceConsent(ctx, code) : leadToStep(ctx, code, step)
  }

  async store(ctx: HttpContext) {
    const userCode = typedCode(ctx)
    const code = await findDeviceCode(userCode)
    if (!code) return renderDeviceForm(ctx, userCode, true)
    if (ctx.request.body().decision !== 'allow') {
      await refuseDevice(code)
      return renderStop(ctx, { reason: 'device_refused' })
    }
    const caller = ctx.auth.use('web').getUserOrFail()
    const step = await nextStepForDevice(code, caller)
    if (step !== 'done') return leadToStep(ctx, code, step)
    const isShown = (await isOfPage(ctx, code)) && !(await waitsForAddress(ctx, code))
    if (!isShown) return renderDeviceConsent(ctx, code)
    const isApproved = await approveDevice(code, caller.session, actorOf(ctx))
    return isApproved
      ? renderStop(ctx, { reason: 'device_done' })
      : renderDeviceForm(ctx, userCode, true)
  }
}

/** Another user may have signed in since the page was shown, and scopes may have been added. */
async function isOfPage({ auth, request }: HttpContext, code: DeviceCode) {
  const { user } = auth.use('web').getUserOrFail()
  const scopes = shownScopes(await requestOfDevice(code)).join(' ')
  return request.body().user === user.id && request.body().scopes === scopes
}

/** After reauthentication the user returns to the code and sees again which device waits. */
async function leadToStep(ctx: HttpContext, code: DeviceCode, step: SignInStep) {
  if (step === 'confirm') {
    const page = withNext('/confirm', pathOfDevice(typedCode(ctx)))
    return ctx.response.redirect().status(303).toPath(page)
  }
  if (step === 'no_access') await refuseWithoutAccess(code, actorOf(ctx))
  ctx.response.status(403)
  return renderStop(ctx, { reason: step, name: await nameOfDevice(code) })
}
