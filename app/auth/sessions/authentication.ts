/** How the holder of a session proved themselves. */
export interface Authentication {
  /** `password`, `passkey` or the name of the provider: how the session started. */
  method: string
  /** Authentication method references (RFC 8176): `pwd`, `otp`, and `mfa` for two factors. */
  amr: string[]
}

/** A provider has no reference in RFC 8176: its name is the method. */
export function authenticationBy(method: string, hasCode: boolean): Authentication {
  const first = method === 'password' ? ['pwd'] : []
  return { method, amr: hasCode ? [...first, 'otp', 'mfa'] : first }
}

export const BY_PASSWORD = authenticationBy('password', false)
