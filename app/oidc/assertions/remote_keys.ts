import logger from '@adonisjs/core/services/logger'
import { LRUCache } from 'lru-cache'
import limits from '#config/limits'
import settings from '#config/oidc'
import { readOutboundDocument } from '#network/public_document'
import { causeOf, DocumentReadError } from '#network/document_errors'
import { isSecret, isUsable } from '#oidc/clients/public_keys'

export type PublicJwk = Record<string, unknown>

interface KnownSet {
  keys: PublicJwk[]
  readAt: number
  /** When the last try was made, even if it failed. */
  triedAt: number
}

/** Concurrent requests share one reading. */
const readings = new Map<string, Promise<KnownSet>>()

const sets = new LRUCache<string, KnownSet>({ max: settings.keySets.most })

const NEVER: KnownSet = { keys: [], readAt: 0, triedAt: 0 }

interface WantedKeys {
  isMeant: (key: PublicJwk) => boolean
  /** Called after a reading, because the client may have other keys by then. */
  isStillNamed: () => Promise<boolean>
}

/** Reads a set again if it is old or lacks the key, with a pause between two readings. */
export async function remoteKeys(uri: string, { isMeant, isStillNamed }: WantedKeys) {
  const known = sets.get(uri) ?? NEVER
  const isFresh = ageOf(known.readAt) < settings.keySets.freshMs
  const found = isFresh ? known.keys.filter(isMeant) : []
  if (found.length > 0 || !mayAsk(known, isFresh)) return found
  const { keys } = await readOnce(uri, known)
  return (await isStillNamed()) ? keys.filter(isMeant) : []
}

/** A clock that was set back must not keep a set. */
function ageOf(time: number) {
  const age = Date.now() - time
  return age < 0 ? Number.POSITIVE_INFINITY : age
}

function mayAsk({ triedAt }: KnownSet, isFresh: boolean) {
  const { pauseMs, failurePauseMs } = settings.keySets
  return ageOf(triedAt) >= (isFresh ? pauseMs : failurePauseMs)
}

function readOnce(uri: string, known: KnownSet) {
  const running = readings.get(uri)
  if (running) return running
  const reading = read(uri, known).finally(() => readings.delete(uri))
  readings.set(uri, reading)
  return reading
}

async function read(uri: string, known: KnownSet): Promise<KnownSet> {
  const url = new URL(uri)
  const triedAt = Date.now()
  const keys = await readKeys(url).catch((error) => logFailure(url, error))
  const set = keys ? { keys, readAt: triedAt, triedAt } : { ...known, triedAt }
  sets.set(uri, set)
  return ageOf(set.readAt) < settings.keySets.freshMs ? set : { ...set, keys: [] }
}

/** A set with a private or symmetric key is no set of public keys. */
async function readKeys(url: URL): Promise<PublicJwk[]> {
  const { text } = await readOutboundDocument(url, limits.clientKeySet)
  const { keys } = JSON.parse(text)
  const isSet = Array.isArray(keys) && keys.length <= limits.remoteKeys
  if (!isSet || keys.some((key) => !key || isSecret(key))) {
    throw new SyntaxError('no set of public keys')
  }
  return keys.filter(isUsable)
}

function logFailure({ host }: URL, error: Error) {
  const reason = error instanceof DocumentReadError ? error.reason : 'not_keys'
  logger.warn({ host, reason, cause: causeOf(error) }, 'key set of a client not read')
  return null
}

/** Tests begin without remembered keys. */
export function forgetRemoteKeys() {
  sets.clear()
}
