import db from '@adonisjs/lucid/services/db'
import passwords from '#config/passwords'

const { memoryCost, timeCost, parallelism } = passwords.argon2

const CURRENT = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`

export async function countOutdatedHashes() {
  const [{ total }] = await db
    .from('users')
    .whereNotNull('password')
    .whereNot('password', 'like', `${CURRENT}%`)
    .count('* as total')
  return Number(total)
}
