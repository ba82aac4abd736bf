import { createHash } from 'node:crypto'
import { COST_LIMITS, isWithin, type HashFormat } from './hash_format.ts'

// Django's `bcrypt_sha256` hashes the hexadecimal digest of the password.
const BCRYPT = /^(?:bcrypt_sha256\$)?\$2[abxy]?\$(\d\d)\$[./A-Za-z0-9]{53}$/

export const bcryptHash: HashFormat = {
  accepts: (stored) => isWithin(Number(BCRYPT.exec(stored)?.[1]), COST_LIMITS.bcrypt),
  async verify(stored, password) {
    const { default: bcrypt } = await import('bcrypt')
    const [digest, hash] = stored.startsWith('$') ? ['', stored] : stored.split(/\$(?=\$)/)
    const hashed = digest ? createHash('sha256').update(password).digest('hex') : password
    return bcrypt.compare(hashed, hash.replace(/^\$2[xy]?\$/, '$2b$'))
  },
}
