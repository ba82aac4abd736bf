import { setTimeout as wait } from 'node:timers/promises'
import { waitsOf, type Waits } from './statistics.ts'

/* Requests at a fixed rate, whether the answers keep up or not, as many users send them. */

/** Waits in milliseconds, from the moment at which a request was due: a late start counts too. */
export interface Offered extends Waits {
  rate: number
  /** Requests, and how many of them had a good answer. */
  offered: number
  answered: number
}

/**
 * @param ask rejects where the answer is not a good one
 * @param rate requests in a second
 */
export async function offer(
  ask: () => Promise<unknown>,
  rate: number,
  seconds: number
): Promise<Offered> {
  const total = Math.round(rate * seconds)
  const waits: number[] = []
  const startedAt = performance.now()
  const one = async (dueAt: number) => {
    await ask()
    waits.push(performance.now() - dueAt)
  }
  const sent: Promise<void>[] = []
  for (let number = 0; number < total; number++) {
    const dueAt = startedAt + (number * 1_000) / rate
    const early = dueAt - performance.now()
    if (early > 0) await wait(early)
    sent.push(one(dueAt).catch(() => {}))
  }
  await Promise.all(sent)
  return { ...waitsOf(waits), rate, offered: total, answered: waits.length }
}
