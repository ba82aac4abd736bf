import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/signing_keys'
import { listKeys } from '#auth/signing_keys/public_keys'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { askToConfirm, isConfirmed } from '#pages/reauthentication'
import { redirectWithNotice } from '#pages/redirect'
import { EMPTY_FORM, noFields, submit, type Form } from '#pages/forms'
import { actorOf } from '#http/request_origin'

const PURPOSES = {
  rotate: 'Publish a new key, which signs access tokens in ten minutes.',
  rotateNow:
    'Sign access tokens with a new key at once. Services that keep the public keys refuse them for up to 5 minutes.',
  revoke: 'Revoke a signing key. Its tokens are refused, and another key signs at once.',
}

/** The key pairs that sign access tokens. */
export default class KeysController {
  index(ctx: HttpContext) {
    return renderKeys(ctx)
  }

  rotate(ctx: HttpContext) {
    const rotate = () => rotateKeys(actorOf(ctx))
    const notice = 'The new key is published. It signs in ten minutes.'
    return changeKeys(ctx, rotate, { purpose: PURPOSES.rotate, notice })
  }

  rotateNow(ctx: HttpContext) {
    const rotate = () => rotateKeys(actorOf(ctx), { isImmediate: true })
    const notice = 'The newest key signs by now.'
    return changeKeys(ctx, rotate, { purpose: PURPOSES.rotateNow, notice })
  }

  revoke(ctx: HttpContext) {
    const revoke = () => revokeKey(ctx.params.kid, actorOf(ctx))
    const notice = 'The key was revoked. Clients get tokens of another key when they refresh.'
    return changeKeys(ctx, revoke, { purpose: PURPOSES.revoke, notice })
  }
}

async function changeKeys(
  ctx: HttpContext,
  change: () => Promise<unknown>,
  { purpose, notice }: { purpose: string; notice: string }
) {
  if (!isConfirmed(ctx)) return askToConfirm(ctx, purpose)
  const outcome = await submit(ctx, {
    validator: noFields,
    perform: change,
    again: (form) => renderKeys(ctx, form),
  })
  return outcome.isDone ? redirectWithNotice(ctx, '/admin/keys', notice) : outcome.page
}

async function renderKeys({ view }: HttpContext, form: Form = EMPTY_FORM) {
  const keys = await listKeys()
  const { algorithm, rotationMs } = settings
  const hasUpcoming = keys.some(({ state }) => state === 'published')
  const canRotate = algorithm !== 'HS256' || keys.some(({ state }) => state === 'signing')
  return view.render('admin/keys', { keys, algorithm, rotationMs, hasUpcoming, canRotate, form })
}
