import type { DeviceType } from './passkey_rows.ts'

/** `hwk` is a key in hardware, `swk` one that may be copied; `user` was verified by the key. */
export function amrOfPasskey({ deviceType }: { deviceType: DeviceType }) {
  return [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user', 'mfa']
}

export const PROVED_BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'swk'] } as const
