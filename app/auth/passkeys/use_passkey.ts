import type User from '#models/user'
import { E_PASSKEY_INVALID } from '#auth/errors'
import { type DeviceType, type PasskeyRow } from './passkey_rows.ts'
import { storeUse } from './store_passkey.ts'
import { recordRefusedCounter } from './refused_passkey.ts'
import type { AssertionRequest } from './verify_assertion.ts'

export interface UsedPasskey {
  id: string
  deviceType: DeviceType
}

interface AssertionUse {
  passkey: PasskeyRow
  counter: number
  isBackedUp: boolean
}

export async function usePasskey(
  user: User,
  { passkey, counter, isBackedUp }: AssertionUse,
  { from }: AssertionRequest
) {
  const isStored = await storeUse(passkey.id, { counter, isBackedUp, now: Date.now() })
  if (!isStored) {
    await recordRefusedCounter(user, passkey, from)
    throw new E_PASSKEY_INVALID()
  }
  const used: UsedPasskey = { id: passkey.id, deviceType: passkey.device_type }
  return { user, passkey: used }
}
