import { randomUUID } from 'node:crypto'
import { parse as parseUuid, stringify as toUuid } from 'uuid'
import type { TokenReference } from '#auth/store/contract'

/* Encodes the data of a sealed token in few bytes, because it is sent with every request. */

/** Times are in seconds since the epoch. */
export interface SealedToken extends TokenReference {
  clientId: string
  scope: string
  iat: number
  exp: number
  /** The key of the client that the token is bound to (RFC 9449). */
  jkt?: string
}

const UUID_BYTES = 16

/** Three ids and two times precede the rest. */
export const FIXED_BYTES = 3 * UUID_BYTES + 2 * 4

export function encodeToken({
  userId,
  sessionId,
  clientId,
  scope,
  iat,
  exp,
  jkt,
}: Omit<SealedToken, 'tokenId'>) {
  const times = Buffer.alloc(8)
  times.writeUInt32BE(iat)
  times.writeUInt32BE(exp, 4)
  const ids = [userId, sessionId, randomUUID()].map((id) => parseUuid(id))
  const rest = JSON.stringify(jkt ? [clientId, scope, jkt] : [clientId, scope])
  return Buffer.concat([...ids, times, Buffer.from(rest)])
}

export function decodeToken(content: Buffer): SealedToken {
  const [userId, sessionId, id] = [0, 1, 2].map((index) => {
    return toUuid(content.subarray(index * UUID_BYTES, (index + 1) * UUID_BYTES))
  })
  const times = content.subarray(3 * UUID_BYTES)
  const [clientId, scope, jkt] = JSON.parse(content.subarray(FIXED_BYTES).toString())
  const who = { userId, sessionId, tokenId: `${sessionId}.${id}`, clientId, scope }
  return { ...who, iat: times.readUInt32BE(0), exp: times.readUInt32BE(4), ...(jkt && { jkt }) }
}
