import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'

/**
 * The handle by which authenticators know a user: random, because whoever reads it there must
 * learn nothing of the person (WebAuthn, section 14.6.1). It is made with the first passkey and
 * stays; of two first requests at once one stores it.
 */
export async function userHandleOf({ id, passkeyHandle }: User): Promise<string> {
  if (passkeyHandle) return passkeyHandle
  const handle = randomBytes(32).toString('base64url')
  const user = () => db.from('users').where('id', id)
  await user().whereNull('passkey_handle').update({ passkey_handle: handle })
  const { passkey_handle: stored } = await user().select('passkey_handle').firstOrFail()
  return stored
}
