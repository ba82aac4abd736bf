import type { HttpContext } from '@adonisjs/core/http'
import { loginOptions } from '#auth/passkeys/challenges'
import { signInByPasskey } from '#auth/sign_in/sign_in_by_passkey'
import { assertPasskeySize } from '#http/passkey_form'
import { bodyOf } from '#http/request_body'
import { deviceOf } from '#http/request_source'
import { signInResponse } from '#http/sign_in_response'
import { passkeyLoginValidator } from '#validators/passkeys'

export default class PasskeyLoginsController {
  options() {
    return loginOptions()
  }

  async store(ctx: HttpContext) {
    assertPasskeySize(ctx, 'response')
    const { response } = await bodyOf(ctx, passkeyLoginValidator)
    return signInResponse(ctx, await signInByPasskey({ response, device: deviceOf(ctx) }))
  }
}
