import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// `gh_<id>_<secret>_<checksum>`: scanners find published keys, and a mistyped key costs no query.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// With 62 ** 16 ids, two keys never share an id. The id says nothing about the owner.
const ID_LENGTH = 16

// 62 ** 43 is more than 2 ** 256, so that an attacker cannot guess a secret.
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

const PREFIX = 'gh_'
const ID = /^[A-Za-z0-9]{16}$/
const KEY = /^gh_([A-Za-z0-9]{16})_[A-Za-z0-9]{43}_[A-Za-z0-9]{6}$/

export function generateKey(id = randomBase62(ID_LENGTH)) {
  const body = `${PREFIX}${id}_${randomBase62(SECRET_LENGTH)}_`
  return { id, key: body + checksumOf(body) }
}

function randomBase62(length: number) {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

export function keyIdOfForm(formId: string, userId: string) {
  const digest = createHash('sha256').update(JSON.stringify([formId, userId]))
  const bytes = [...digest.digest()].slice(0, ID_LENGTH)
  return bytes.map((byte) => BASE62[byte % BASE62.length]).join('')
}

function checksumOf(text: string) {
  let rest = crc32(text)
  let checksum = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return checksum
}

/** Returns whether the token is an API key: no JWT begins with this prefix. */
export function isKey(token: string) {
  return token.startsWith(PREFIX)
}

/** Returns null for a text that is not an API key. */
export function keyIdOf(key: string) {
  const id = KEY.exec(key)?.[1]
  return id && checksumOf(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
    ? id
    : null
}

export function isKeyId(text: string) {
  return ID.test(text)
}
