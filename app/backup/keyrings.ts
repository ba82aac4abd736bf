/** The stored data needs these keyrings. Token secrets begin anew, because every session ends. */
export const CARRIED_KEYRINGS = ['APP_KEY', 'MFA_ENCRYPTION_KEYS'] as const

export type CarriedKeyring = (typeof CARRIED_KEYRINGS)[number]

export type Keyrings = Record<CarriedKeyring, string[]>
