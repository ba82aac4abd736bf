import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { lockForChange } from '#auth/lock_for_change'
import { deviceName } from '#auth/sessions/device'
import type { Reauthentication } from '#auth/mfa/reauthentication'
import { record } from '#events/record'
import { authenticatorOf } from './aaguids.ts'
import { toRecord } from './passkey_record.ts'
import { type PasskeyRow } from './passkey_rows.ts'
import { insertPasskey } from './store_passkey.ts'
import { verifyAttestation, type Attestation } from './verify_attestation.ts'
import type { AttestationResponse } from './responses.ts'

/** The transports that are stored; any other text from a client is dropped. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

interface NewPasskey {
  response: AttestationResponse
  /** Defaults to the name of the authenticator or the browser. */
  name?: string
}

/**
 * The challenge proves the reauthentication. A mail tells the user about the new sign-in method.
 * @throws E_PASSKEY_INVALID, E_PASSKEY_EXISTS, E_PASSKEY_LIMIT, E_TOKEN_REVOKED
 */
export async function registerPasskey(
  caller: Omit<Reauthentication, 'credentials'>,
  made: NewPasskey
) {
  const { userId, actor } = caller
  const attestation = await verifyAttestation(caller, made.response)
  const { aaguid } = attestation
  const name = made.name ?? authenticatorOf(aaguid) ?? deviceName(actor.userAgent)
  const row = toRow({ userId, name, transports: made.response.response.transports }, attestation)
  await db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    await insertPasskey(row, trx)
    const details = { passkeyId: row.id, name }
    await record(trx, { type: 'passkey.added', user, actor, details })
  })
  return toRecord(row)
}

interface PasskeyOwner {
  userId: string
  name: string
  transports?: string[]
}

function toRow(
  { userId, name, transports = [] }: PasskeyOwner,
  attestation: Attestation
): PasskeyRow {
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = attestation
  return {
    id: uuidv7(),
    user_id: userId,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: TRANSPORTS.filter((each) => transports.includes(each)).join(' '),
    device_type: credentialDeviceType,
    backed_up: credentialBackedUp,
    aaguid,
    name,
    created_at: Date.now(),
    last_used_at: null,
    counter_refused_at: null,
  }
}
