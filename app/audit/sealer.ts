import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'
import { findChain } from './chain_state.ts'
import { sealBatch } from './seal_batch.ts'

/*
 | Seals what this process has recorded, a moment after its commit and beside all requests.
 | A process that records nothing does nothing. What a killed process left behind is sealed
 | by its next start, by the next event of any other one, or by the next pruning.
 */

let hasPending = false
let isFailing = false
let timer: NodeJS.Timeout | null = null
let running: Promise<void> | null = null

/** Seals soon. Called for each event, once its transaction has committed. */
export function sealSoon() {
  hasPending = true
  timer ??= setTimeout(
    () => {
      timer = null
      sealPending().catch(() => {})
    },
    isFailing ? settings.sealRetryMs : settings.sealDelayMs
  ).unref()
}

/** Seals every event that is committed by now, unless another process does it at this moment. */
export async function sealPending() {
  await running?.catch(() => {})
  running ??= seal().finally(() => {
    running = null
    if (hasPending) sealSoon()
  })
  return running
}

async function seal() {
  hasPending = false
  try {
    let isFull = true
    while (isFull) isFull = await sealOne()
    isFailing = false
  } catch (error) {
    hasPending = true
    if (!isFailing) logger.warn({ err: error }, 'audit events were not sealed')
    isFailing = true
    throw error
  }
}

/** Seals one batch, and returns whether there is another. */
async function sealOne() {
  const { outcome, isFull, head, hasAdministration } = await sealBatch()
  if (outcome === 'busy') hasPending = true
  if (head) logHead(head, hasAdministration)
  return isFull
}

let loggedAt = 0
let loggedHash = ''

/**
 * A head in the log proves later, on another machine than the database, that the trail had
 * come that far: a restored copy of the database lacks what came after it.
 */
function logHead({ sequence, hash }: { sequence: number; hash: string }, isUrgent: boolean) {
  const isDue = Date.now() - loggedAt >= settings.headIntervalMs
  if (hash === loggedHash || !(isUrgent || isDue)) return
  loggedAt = Date.now()
  loggedHash = hash
  logger.info({ sequence, hash }, 'audit head')
}

/** Seals what an earlier process has left, and logs the head every hour. */
export function startSealing() {
  sealSoon()
  setInterval(async () => {
    const chain = await findChain(db.connection()).catch(() => null)
    if (chain) logHead(chain, true)
  }, settings.headIntervalMs).unref()
}

/** How long the end of a process waits for another one that seals. */
const LAST_TRIES = 20

/** Seals what is left before the process ends. */
export async function stopSealing() {
  for (let tries = 0; tries < LAST_TRIES && (hasPending || running); tries++) {
    await sealPending().catch(() => {})
    if (hasPending) await wait(100)
  }
  if (timer) clearTimeout(timer)
  timer = null
}
