import type { HttpContext } from '@adonisjs/core/http'
import { findRecordAtVersion } from '#auth/accounts/records'
import { E_UNAUTHORIZED } from '#auth/errors'

/** The caller's own record. */
export default class ProfileController {
  async show({ auth }: HttpContext) {
    const caller = auth.use('api').getUserOrFail()
    const record = await findRecordAtVersion(caller.id, caller.version)
    if (!record) throw new E_UNAUTHORIZED()
    return record
  }
}
