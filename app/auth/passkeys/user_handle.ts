import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'

/** Random: an authenticator must tell a reader nothing of the user (WebAuthn, section 14.6.1). */
export async function userHandleOf({ id, passkeyHandle }: User): Promise<string> {
  if (passkeyHandle) return passkeyHandle
  const handle = randomBytes(32).toString('base64url')
  const user = () => db.from('users').where('id', id)
  await user().whereNull('passkey_handle').update({ passkey_handle: handle })
  const { passkey_handle: stored } = await user().select('passkey_handle').firstOrFail()
  return stored
}
