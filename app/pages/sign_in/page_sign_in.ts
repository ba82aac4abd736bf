import type { HttpContext } from '@adonisjs/core/http'
import { recognitionByCookie } from '#http/device_cookie'
import { asOneRequest } from '#database/configuration_version'
import { sourceOf } from '#http/request_source'
import { DEFAULT_DEVICE_ID, type Device } from '#auth/sessions/device'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { redeemExternalCode } from '#auth/external/exchange_code'
import { refusalOf, type SignedIn, type SignInResult } from '#auth/sign_in/result'
import type { AssertionResponse } from '#auth/passkeys/responses'
import { authorizationAfter } from './authorization_after.ts'
import type { Authorized } from '#oidc/interactions/prepare_authorization'
import { signIn } from '#auth/sign_in/sign_in'
import { signInExternally } from '#auth/sign_in/sign_in_externally'
import { signInByPasskey } from '#auth/sign_in/sign_in_by_passkey'
import { verifyMfaChallenge } from '#auth/sign_in/verify_mfa_challenge'

export function webDeviceOf(ctx: HttpContext): Device {
  const recognition = recognitionByCookie(ctx)
  return { id: DEFAULT_DEVICE_ID, recognition, ...sourceOf(ctx), client: 'web' }
}

/** Applies the same throttle, lock and refusals as the login of the API. */
export async function signInByPage(
  ctx: HttpContext,
  credentials: { email: string; password: string }
): Promise<PageStep> {
  const device = webDeviceOf(ctx)
  const authorization = authorizationAfter(ctx, device)
  const request = { ...credentials, device, companion: authorization?.companion }
  const result = await asOneRequest(() => signIn(request))
  if (result.outcome === 'unverified') return { outcome: result.outcome, email: credentials.email }
  const step = signInStep(result)
  return step.outcome === 'signed_in' ? { ...step, authorized: authorization?.answer } : step
}

/** A code, or a passkey in its place. */
type SecondStep = Omit<Parameters<typeof verifyMfaChallenge>[0], 'device'>

/** These steps call the throttle and use no middleware, so that the form shows its refusal. */
export async function verifyByPage(ctx: HttpContext, step: SecondStep) {
  await throttleAddress('mfa', ctx.request.ip())
  return signInStep(await verifyMfaChallenge({ ...step, device: webDeviceOf(ctx) }))
}

export async function signInByPasskeyPage(ctx: HttpContext, response: AssertionResponse) {
  await throttleAddress('passkey', ctx.request.ip())
  return signInStep(await signInByPasskey({ response, device: webDeviceOf(ctx) }))
}

export async function signInExternallyByPage(ctx: HttpContext, code: string) {
  const external = await redeemExternalCode(code)
  return signInStep(await signInExternally({ ...external, device: webDeviceOf(ctx) }))
}

/** Outcomes that continue: a session, the second step, or the choice of a new password. */
type SignInStep =
  | (SignedIn & { authorized?: Authorized })
  | Extract<SignInResult, { outcome: 'mfa_required' | 'password_change_required' }>

/** `unverified` offers the link of a verification mail on the password page. */
export type PageStep = SignInStep | { outcome: 'unverified'; email: string }

function signInStep(result: SignInResult): SignInStep {
  switch (result.outcome) {
    case 'signed_in':
    case 'mfa_required':
    case 'password_change_required':
      return result
    default:
      throw refusalOf(result)
  }
}
