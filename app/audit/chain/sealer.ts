import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'
import { yieldToEventLoop } from '#database/batches'
import { inSpan } from '#telemetry/spans'
import { findChain } from './chain_state.ts'
import { FIRST_ID, sealBatch, type SealedBatch } from './seal_batch.ts'
import { logHead, logForged } from './log_head.ts'

/* The next start, event or pruning seals the events that a killed process left. */

const listeners: (() => void)[] = []

/** Calls a function after events were sealed in this process. */
export function onSealed(listener: () => void) {
  listeners.push(listener)
}

let hasPending = false
let isFailing = false
let timer: NodeJS.Timeout | null = null
let running: Promise<void> | null = null

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
    await inSpan('seal', sealAll)
    isFailing = false
  } catch (error) {
    hasPending = true
    if (!isFailing) logger.warn({ err: error }, 'audit events were not sealed')
    isFailing = true
    throw error
  }
}

async function sealAll() {
  const forged: string[] = []
  let after: string | null = FIRST_ID
  while (after !== null) {
    const batch: SealedBatch = await sealBatch(after)
    if (batch.outcome === 'busy') hasPending = true
    if (batch.head) tellSealed(batch.head, batch.hasAdministration)
    forged.push(...batch.forged)
    after = batch.next
    if (after !== null) await yieldToEventLoop()
  }
  logForged(forged)
}

function tellSealed(head: NonNullable<SealedBatch['head']>, hasAdministration: boolean) {
  logHead(head, hasAdministration)
  for (const listener of listeners) listener()
}

export function startSealing() {
  sealSoon()
  setInterval(async () => {
    const chain = await findChain(db.connection()).catch(() => null)
    if (chain) logHead(chain, true)
  }, settings.headIntervalMs).unref()
}

const LAST_TRIES = 20

export async function stopSealing() {
  for (let tries = 0; tries < LAST_TRIES && (hasPending || running); tries++) {
    await sealPending().catch(() => {})
    if (hasPending) await wait(100)
  }
  if (timer) clearTimeout(timer)
  timer = null
}
