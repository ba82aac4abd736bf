import type { DeviceType } from './passkey_rows.ts'

/**
 * A key in hardware is `hwk`, one that may be copied `swk`; `user` says that it verified its user.
 */
export function amrOfPasskey({ deviceType }: { deviceType: DeviceType }) {
  return [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user', 'mfa']
}

export const PROVED_BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'swk'] } as const
