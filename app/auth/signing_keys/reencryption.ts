import db from '@adonisjs/lucid/services/db'
import { reencryptPrivateKey } from './key_pair.ts'
import { readKeys, replacePrivateKey } from './key_rows.ts'
import type { SigningKey } from './signing_key.ts'
import type { Transaction } from '#database/transaction'

/**
 * Encrypts every private key again by the first entry of `APP_KEY`, before the older entries
 * are dropped that may have encrypted it.
 */
export async function reencryptPrivateKeys() {
  const keys = await readKeys()
  await db.transaction(async (trx) => {
    for (const key of keys) await reencrypt(key, trx)
  })
}

async function reencrypt(key: SigningKey, trx: Transaction) {
  const encrypted = reencryptPrivateKey(key)
  if (encrypted) await replacePrivateKey(key, encrypted, trx)
}
