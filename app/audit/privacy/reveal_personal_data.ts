import { decryptFor, type StoredKey } from './personal_cipher.ts'
import type { Parts } from './personal_data.ts'

export interface HiddenRow {
  id: string
  origin_key: string | null
  origin: string | null
  personal_key: string | null
  personal: string | null
}

interface RequestSource {
  ip: string | null
  userAgent: string | null
}

export function revealPersonalData(row: HiddenRow, keys: Map<string, StoredKey>) {
  const reveal = <T extends object>(column: keyof Parts) => {
    const key = keys.get(row[`${column}_key`] ?? '')
    return key && decryptFor<T>(key, row[column]!, { eventId: row.id, column })
  }
  const { ip = null, userAgent = null } = reveal<RequestSource>('origin') ?? {}
  return { ip, userAgent, personal: reveal<Record<string, unknown>>('personal') ?? {} }
}
