import { setTimeout as wait } from 'node:timers/promises'
import settings from '#config/signing_keys'
import { readKeys } from './key_rows.ts'
import { onTakeover } from '#database/incarnation'
import type { SigningKey } from './signing_key.ts'

/*
 | The keys in the memory of this process. They are read again when they are used and too old,
 | so that an idle process asks nothing, and a busy one seldom.
 */

let keys: SigningKey[] = []
let readAt = Number.NEGATIVE_INFINITY
let reading: Promise<SigningKey[]> | undefined
let scheduled: Promise<SigningKey[]> | undefined
let earliestReload = 0

/** Numbers of reads, so that a slow one does not put older keys in the place of newer ones. */
let started = 0
let stored = 0

/** All keys, the newest first, read less long ago than this; read now for 0. */
export async function knownKeys(maxAgeMs: number = settings.freshMs) {
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

/**
 * The keys as they are after this moment, for a caller who knows of one that is not among
 * them. Such callers share one query, which is not asked more than once a second: any number
 * of invented key ids costs no more.
 */
export function reloadedKeys() {
  scheduled ??= wait(Math.max(0, earliestReload - performance.now())).then(() => {
    scheduled = undefined
    return read()
  })
  return scheduled
}

/** After a change by this process: the next use reads the keys again, and a read of before is void. */
export function forgetKnownKeys() {
  stored = ++started
  reading = undefined
  readAt = Number.NEGATIVE_INFINITY
}

onTakeover(forgetKnownKeys)

/** Whether there are keys, as far as this process knows; asks nothing. */
export function hasKnownKeys() {
  return keys.length > 0
}
