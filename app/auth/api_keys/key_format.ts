import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 | A key is `gh_<id>_<secret>_<checksum>`. The prefix and the checksum let scanners of source
 | code find a key that was published, and a text with a typing error costs no query.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 62 ** 16 ids: two keys never share one, and the id says nothing of the owner. */
const ID_LENGTH = 16

/** 62 ** 43 is more than 2 ** 256. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

const PREFIX = 'gh_'
const ID = /^[A-Za-z0-9]{16}$/
const KEY = /^gh_([A-Za-z0-9]{16})_[A-Za-z0-9]{43}_[A-Za-z0-9]{6}$/

/** A new key and the id in it, which is random unless it is given. */
export function generateKey(id = randomBase62(ID_LENGTH)) {
  const body = `${PREFIX}${id}_${randomBase62(SECRET_LENGTH)}_`
  return { id, key: body + checksumOf(body) }
}

function randomBase62(length: number) {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/** The id of the key that a form makes: filled in otherwise, the same form makes another key. */
export function keyIdOfForm(formId: string, { userId, name, scopes }: FormOfKey) {
  const digest = createHash('sha256').update(JSON.stringify([formId, userId, name, scopes]))
  const bytes = [...digest.digest()].slice(0, ID_LENGTH)
  return bytes.map((byte) => BASE62[byte % BASE62.length]).join('')
}

interface FormOfKey {
  userId: string
  name: string
  scopes: string[]
}

/** The CRC-32 of all that stands before it. */
function checksumOf(text: string) {
  let rest = crc32(text)
  let checksum = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return checksum
}

/** Whether a Bearer token claims to be a key: no JWT begins like one. */
export function isKey(token: string) {
  return token.startsWith(PREFIX)
}

/** The id in a key; null for a text that is no key of ours. */
export function keyIdOf(key: string) {
  const id = KEY.exec(key)?.[1]
  return id && checksumOf(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
    ? id
    : null
}

export function isKeyId(text: string) {
  return ID.test(text)
}
