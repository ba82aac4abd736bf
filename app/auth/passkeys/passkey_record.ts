import { authenticatorOf } from './aaguids.ts'
import { selectPasskeys, type PasskeyRow } from './passkey_rows.ts'

export interface PasskeyRecord {
  id: string
  /** The id that authenticators know, for the signal methods of browsers. */
  credentialId: string
  name: string
  /** The authenticator, such as “Apple Passwords”; null for an unknown one. */
  holder: string | null
  aaguid: string
  transports: string[]
  /** Whether the authenticator may copy the passkey to other devices, and whether it did. */
  synced: boolean
  backedUp: boolean
  createdAt: string
  lastUsedAt: string | null
}

export async function listPasskeys(userId: string): Promise<PasskeyRecord[]> {
  const rows = await selectPasskeys(userId)
  return rows.map(toRecord)
}

const iso = (at: number | string) => new Date(Number(at)).toISOString()

export function toRecord(row: PasskeyRow): PasskeyRecord {
  return {
    id: row.id,
    credentialId: row.credential_id,
    name: row.name,
    holder: authenticatorOf(row.aaguid),
    aaguid: row.aaguid,
    transports: row.transports.split(' ').filter(Boolean),
    synced: row.device_type === 'multiDevice',
    backedUp: Boolean(row.backed_up),
    createdAt: iso(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : iso(row.last_used_at),
  }
}
