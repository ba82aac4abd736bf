import { setTimeout as wait } from 'node:timers/promises'
import settings from '#config/signing_keys'
import { readKeys } from './key_rows.ts'
import { onConfigurationChange } from '#database/configuration_version'
import { onFailover } from '#database/incarnation'
import type { SigningKey } from './signing_key.ts'

// Outdated keys are read again on their next use, so that an idle process sends no queries.

let keys: SigningKey[] = []
let readAt = Number.NEGATIVE_INFINITY
let reading: Promise<SigningKey[]> | undefined
let scheduled: Promise<SigningKey[]> | undefined
let earliestReload = 0

// Reads are numbered, so that a slow read cannot replace newer keys.
let started = 0
let stored = 0

/** Returns the newest key first. With 0, reads the keys now. */
export async function cachedKeys(maxAgeMs: number = settings.freshMs) {
  const age = Date.now() - readAt
  if (age >= 0 && age < maxAgeMs) return keys
  reading ??= read().finally(() => (reading = undefined))
  return reading
}

async function read() {
  const [order, at] = [++started, Date.now()]
  earliestReload = performance.now() + settings.reloadPauseMs
  const found = await readKeys()
  if (order > stored) {
    stored = order
    keys = found
    readAt = at
  }
  return found
}

/** Reads keys for an unknown id. Callers share one query a second, so invented ids are cheap. */
export function reloadedKeys() {
  scheduled ??= wait(Math.max(0, earliestReload - performance.now())).then(() => {
    scheduled = undefined
    return read()
  })
  return scheduled
}

/** Voids a running read, so that the next use reads the keys again. */
export function clearKeyCache() {
  stored = ++started
  reading = undefined
  readAt = Number.NEGATIVE_INFINITY
}

onFailover(clearKeyCache)
onConfigurationChange(clearKeyCache)

export function hasCachedKeys() {
  return keys.length > 0
}
