import type { DeviceType } from './passkey_rows.ts'

/** `hwk`: a hardware key. `swk`: a key that may be copied. `user`: the key verified the user. */
export function amrOfPasskey({ deviceType }: { deviceType: DeviceType }) {
  return [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user', 'mfa']
}

export const PROVED_BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'swk'] } as const
