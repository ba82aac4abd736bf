import type { DeviceType } from './passkey_rows.ts'

/** A key lies in hardware (`hwk`) unless it may be copied (`swk`); `user`: it verified its user. */
export function amrOfPasskey({ deviceType }: { deviceType: DeviceType }) {
  return [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user', 'mfa']
}

/** Sessions that a passkey started or proved, alone or beside a password. */
export const PROVED_BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'swk'] } as const
