import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

// This file owns `passkeys` and `users.passkey_count`.

/** `multiDevice` for a passkey that its authenticator may copy to other devices. */
export type DeviceType = 'singleDevice' | 'multiDevice'

/** Each driver returns numbers and flags in its own type. */
export interface PasskeyRow {
  id: string
  user_id: string
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number | string
  /** Separated by spaces. */
  transports: string
  device_type: DeviceType
  backed_up: boolean | number
  aaguid: string
  name: string
  created_at: number | string
  last_used_at: number | string | null
  counter_refused_at: number | string | null
}

export async function countPasskeys(userId: string, trx: Transaction) {
  const [{ total }] = await trx.from('passkeys').where('user_id', userId).count('* as total')
  return Number(total)
}

export async function hasPasskeys() {
  return Boolean(await db.from('passkeys').select('id').first())
}

export async function selectPasskeys(userId: string, trx?: Transaction): Promise<PasskeyRow[]> {
  const client = trx ?? db
  return client.from('passkeys').where('user_id', userId).orderBy('id')
}

export async function selectPasskeysOf(
  userIds: string[],
  client: QueryClientContract
): Promise<PasskeyRow[]> {
  return client.from('passkeys').whereIn('user_id', userIds).orderBy('id')
}

export function findByCredential(credentialId: string): Promise<PasskeyRow | null> {
  return db.from('passkeys').where('credential_id', credentialId).first()
}

export interface Owned {
  id: string
  userId: string
}

export function findPasskey({ id, userId }: Owned, trx: Transaction): Promise<PasskeyRow | null> {
  return trx.from('passkeys').where({ id, user_id: userId }).first()
}
