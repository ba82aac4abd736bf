import { randomInt } from 'node:crypto'
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

/** A new key and the id in it. */
export function generateKey() {
  const id = randomBase62(ID_LENGTH)
  const body = `${PREFIX}${id}_${randomBase62(SECRET_LENGTH)}_`
  return { id, key: body + checksumOf(body) }
}

function randomBase62(length: number) {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/** The CRC-32 of all that stands before it. */
function checksumOf(text: string) {
  let rest = crc32(text)
  let checksum = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
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
