import db from '@adonisjs/lucid/services/db'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { v7 as uuidv7 } from 'uuid'
import type { ApiClient } from '@japa/api-client'
import User from '#models/user'
import { insertPasskey } from '#auth/passkeys/store_passkey'
import { userHandleOf } from '#auth/passkeys/registration_options'
import { Authenticator, type Forgery } from './authenticator.ts'
import { clientHeaders, someAddress } from './fixtures.ts'

/* Passkeys of users in the database, and logins by them over HTTP. */

interface PasskeyOptions {
  isSynced?: boolean
  aaguid?: string
  name?: string
}

/** Stores a passkey of a user, as if it had been registered. */
export async function givePasskey({ id: userId }: { id: string }, options: PasskeyOptions = {}) {
  const { name = 'Phone', ...kind } = options
  const authenticator = new Authenticator(kind)
  authenticator.userHandle = await userHandleOf(await User.findOrFail(userId))
  const row = {
    id: uuidv7(),
    user_id: userId,
    credential_id: authenticator.id,
    public_key: Buffer.from(isoCBOR.encode(authenticator.publicKey as any)).toString('base64url'),
    counter: 0,
    transports: 'internal',
    device_type: kind.isSynced ? ('multiDevice' as const) : ('singleDevice' as const),
    backed_up: Boolean(kind.isSynced),
    aaguid: kind.aaguid ?? '00000000-0000-0000-0000-000000000000',
    name,
    created_at: Date.now(),
    last_used_at: null,
    counter_refused_at: null,
  }
  await db.transaction((trx) => insertPasskey(row, trx))
  return { authenticator, id: row.id }
}

/** Returns the browser's options for a login, with a challenge. */
export async function loginOptions(client: ApiClient, address = someAddress()) {
  const request = client.post('/auth/passkeys/login-options')
  const response = await request.header('x-forwarded-for', address)
  return response.body() as { challenge: string }
}

interface PasskeyLogin {
  forged?: Forgery
  address?: string
  deviceId?: string
  deviceToken?: string
}

/** Sends one login by a passkey over HTTP. */
export async function passkeyLogin(
  client: ApiClient,
  authenticator: Authenticator,
  { forged, address = someAddress(), ...device }: PasskeyLogin = {}
) {
  const response = authenticator.get(await loginOptions(client, address), forged)
  const request = client.post('/auth/passkeys/login').header('x-forwarded-for', address)
  return request.headers(clientHeaders(device)).json({ response })
}
