import type { HttpContext } from '@adonisjs/core/http'
import { E_RECENT_LOGIN_REQUIRED } from '#auth/errors'
import { findDeviceCode } from '#oidc/interactions/device_flow'
import { answerInteraction } from '#oidc/interactions/interactions'
import { ADDRESS_PROMPT } from '#oidc/provider/policy'
import { confirmByCode, sendCodeAgain } from '#users/address_confirmation'
import { updateProfile } from '#users/profile'
import { addressValidator } from '#validators/account'
import { addressCodeValidator } from '#validators/pages'
import { noFields, submit } from '#pages/forms/forms'
import {
  nameOfDevice,
  renderDeviceConsent,
  renderDeviceForm,
  typedCode,
  waitsForAddress,
} from '#pages/applications/device_pages'
import { renderVerifiedAddress } from '#pages/applications/verified_address_page'
import {
  waitingDevice,
  waitingInteraction,
  type WaitingPage,
} from '#pages/applications/waiting_sign_in'
import { renderExpired, interactionOf, renderInterstitial } from '#pages/clients/application_pages'
import { withNext } from '#pages/sign_in/next_path'
import { actorOf } from '#http/request_source'
import { reauthenticationOf } from '#http/reauthentication'

/** The page of a request that waits, and how the request continues. */
interface WaitingRequest {
  page: WaitingPage
  goOn: () => unknown
}

export default class AddressCodesController {
  /** Accepts the code of the mail. */
  async store(ctx: HttpContext) {
    const found = await findWaiting(ctx)
    if (!('page' in found)) return found.answer
    const { page, goOn } = found
    const outcome = await submit(ctx, {
      validator: addressCodeValidator,
      fields: {
        E_INVALID_ADDRESS_CODE: 'code',
        E_ADDRESS_CODE_EXPIRED: 'code',
        E_INVALID_TOKEN: 'code',
      },
      action: ({ code }) => confirmByCode(page.waiting, code, actorOf(ctx)),
      onError: (form) => renderVerifiedAddress(ctx, page, { form }),
    })
    return outcome.ok ? goOn() : outcome.page
  }

  back({ params, response }: HttpContext) {
    const path = params.uid ? `/oauth/interaction/${params.uid}` : '/oauth/device'
    return response.redirect().status(303).toPath(path)
  }

  async resend(ctx: HttpContext) {
    const found = await findWaiting(ctx)
    if (!('page' in found)) return found.answer
    const { page } = found
    const { user } = ctx.auth.use('web').getUserOrFail()
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => sendCodeAgain(page.waiting, user, ctx.request.ip()),
      onError: (form) => renderVerifiedAddress(ctx, page, { form }),
    })
    return outcome.ok ? renderVerifiedAddress(ctx, page, { isResent: true }) : outcome.page
  }

  /** The new address is pending until it is confirmed, as on the account page. */
  async change(ctx: HttpContext) {
    const found = await findWaiting(ctx)
    if (!('page' in found)) return found.answer
    const { page } = found
    const outcome = await submit(ctx, {
      validator: addressValidator,
      action: ({ email }) => changeAddress(ctx, email),
      onError: (address) => renderVerifiedAddress(ctx, page, { address }),
    })
    if (!outcome.ok) return outcome.page
    if (outcome.result === 'confirm') {
      return ctx.response.redirect().status(303).toPath(withNext('/confirm', page.waiting.path))
    }
    await ctx.auth.use('web').authenticate()
    return renderVerifiedAddress(ctx, page)
  }
}

async function changeAddress(ctx: HttpContext, email: string) {
  const change = { email, hidesTaken: true, isByCode: true }
  try {
    await updateProfile(reauthenticationOf(ctx, {}), change)
    return 'changed'
  } catch (error) {
    if (error instanceof E_RECENT_LOGIN_REQUIRED) return 'confirm'
    throw error
  }
}

/** Returns the page to show instead if nothing waits for the address. */
async function findWaiting(ctx: HttpContext): Promise<WaitingRequest | { answer: unknown }> {
  return ctx.params.uid ? findWaitingInteraction(ctx) : findWaitingDevice(ctx)
}

async function findWaitingInteraction(ctx: HttpContext) {
  const interaction = await interactionOf(ctx)
  if (!interaction) return { answer: await renderExpired(ctx) }
  const page = await waitingInteraction(ctx, interaction)
  const { path, name } = page.waiting
  if (interaction.prompt.name !== ADDRESS_PROMPT) {
    return { answer: ctx.response.redirect().status(303).toPath(path) }
  }
  const goOn = async () => renderInterstitial(ctx, await answerInteraction(interaction, {}), name)
  return { page, goOn }
}

async function findWaitingDevice(ctx: HttpContext) {
  const userCode = typedCode(ctx)
  const code = await findDeviceCode(userCode)
  if (!code) return { answer: await renderDeviceForm(ctx, userCode, true) }
  if (!(await waitsForAddress(ctx, code))) return { answer: await renderDeviceConsent(ctx, code) }
  const page = waitingDevice(ctx, code, { name: await nameOfDevice(code), userCode })
  const goOn = async () => {
    await ctx.auth.use('web').authenticate()
    return renderDeviceConsent(ctx, code)
  }
  return { page, goOn }
}
