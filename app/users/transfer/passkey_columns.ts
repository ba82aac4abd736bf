import limits from '#config/limits'
import { v7 as uuidv7 } from 'uuid'
import type { PasskeyRow } from '#auth/passkeys/passkey_rows'
import { displayName, timestamp } from './imported_values.ts'

/*
 | Passkeys in an export with hashes: public keys, which open nothing by themselves, and the
 | handle by which authenticators know the user. They work where the domain stays the same.
 */

/** The passkeys of a row of an export, as its member `passkeys`. */
export interface ExportedPasskey {
  credentialId: string
  publicKey: string
  counter: number
  transports: string
  deviceType: string
  backedUp: boolean
  aaguid: string
  name: string
  createdAt: string
}

export function toExported(row: PasskeyRow): ExportedPasskey {
  return {
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    deviceType: row.device_type,
    backedUp: Boolean(row.backed_up),
    aaguid: row.aaguid,
    name: row.name,
    createdAt: new Date(Number(row.created_at)).toISOString(),
  }
}

/** A passkey that an import adds; its user is known once they are inserted. */
export type ImportedPasskey = Omit<PasskeyRow, 'user_id'>

const HANDLE = /^[\w-]{43}$/
const CREDENTIAL_ID = /^[\w-]{1,1364}$/
const PUBLIC_KEY = /^[\w-]{1,8192}$/
const AAGUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The handle of an imported user, without which none of their passkeys would be found theirs. */
export function handleOf(given: unknown) {
  return typeof given === 'string' && HANDLE.test(given) ? given : null
}

/**
 * The passkeys of an imported user: a list, or its JSON in a cell. Those that could never
 * sign in are left out, as are those beyond the limit.
 */
export function passkeysOf(given: unknown): ImportedPasskey[] {
  const list: any[] = typeof given === 'string' ? JSON.parse(given) : (given ?? [])
  return list.filter(isUsable).slice(0, limits.passkeys).map(toRow)
}

function isUsable({ credentialId, publicKey, counter, deviceType, aaguid }: any) {
  const hasKey = CREDENTIAL_ID.test(credentialId) && PUBLIC_KEY.test(publicKey)
  const isKind = ['singleDevice', 'multiDevice'].includes(deviceType) && AAGUID.test(aaguid)
  return hasKey && isKind && Number.isSafeInteger(counter) && counter >= 0
}

function toRow({ credentialId, publicKey, counter, deviceType, aaguid, ...given }: any) {
  return {
    id: uuidv7(),
    credential_id: credentialId,
    public_key: publicKey,
    counter,
    transports: String(given.transports ?? '').slice(0, 100),
    device_type: deviceType,
    backed_up: given.backedUp === true,
    aaguid,
    name: displayName(given.name) ?? 'Passkey',
    created_at: timestamp(given.createdAt) ?? Date.now(),
    last_used_at: null,
    counter_refused_at: null,
  }
}
