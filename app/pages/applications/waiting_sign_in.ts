import type { HttpContext } from '@adonisjs/core/http'
import type { DeviceCode, Interaction } from 'oidc-provider'
import { deviceName } from '#auth/sessions/device'
import { applicationOf } from '#pages/clients/application_pages'
import type { Waiting } from '#users/address_confirmation'

/** A sign-in that waits for a verified address, and where its forms go. */
export interface WaitingPage {
  waiting: Waiting
  /** The path of the forms, which add `/resend` and `/change` to it. */
  action: string
  /** Null in an interaction. */
  userCode: string | null
}

export async function waitingInteraction(ctx: HttpContext, interaction: Interaction) {
  const { name, clientId } = await applicationOf(interaction)
  const path = `/oauth/interaction/${interaction.uid}`
  const waiting = { ...currentSignIn(ctx), id: interaction.uid, clientId, name, path }
  return { waiting, action: `${path}/address`, userCode: null } satisfies WaitingPage
}

export function waitingDevice(ctx: HttpContext, code: DeviceCode, about: DeviceAbout) {
  const { name, userCode } = about
  const path = pathOfDevice(userCode)
  const waiting = { ...currentSignIn(ctx), id: code.jti, clientId: code.clientId, name, path }
  return { waiting, action: '/oauth/device/address', userCode } satisfies WaitingPage
}

interface DeviceAbout {
  name: string
  userCode: string
}

export function pathOfDevice(userCode: string) {
  return `/oauth/device?${new URLSearchParams({ user_code: userCode })}`
}

function currentSignIn({ auth, request }: HttpContext) {
  const { user, session } = auth.use('web').getUserOrFail()
  const userAgent = request.header('user-agent') ?? null
  return { userId: user.id, webSessionId: session.id, deviceName: deviceName(userAgent) }
}
