import limits from '#config/limits'
import { v7 as uuidv7 } from 'uuid'
import type { PasskeyRow } from '#auth/passkeys/passkey_rows'
import { displayName, timestamp } from './imported_values.ts'

/* An exported passkey is a public key: it opens nothing by itself and is bound to the domain. */

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

export type ImportedPasskey = Omit<PasskeyRow, 'user_id'>

const HANDLE = /^[\w-]{43}$/
const CREDENTIAL_ID = /^[\w-]{1,1364}$/
const PUBLIC_KEY = /^[\w-]{1,8192}$/
const AAGUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Authenticators send this handle; without it no passkey finds its user. */
export function handleOf(given: unknown) {
  return typeof given === 'string' && HANDLE.test(given) ? given : null
}

/** @param given a list, or its JSON in a cell; unusable passkeys and those beyond the limit are dropped */
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
