import { setTimeout as wait } from 'node:timers/promises'

/** A steady load, in requests a second. */
export interface Load {
  rate: number
  seconds: number
}

/** Sends at a fixed rate, whether the answers keep up or not, as many users do. */
export async function sendSteadily<Answer>(
  send: (number: number, dueAt: number) => Promise<Answer>,
  { rate, seconds }: Load
) {
  const total = Math.round(rate * seconds)
  const pending: Promise<Answer>[] = []
  const startedAt = performance.now()
  for (let number = 0; number < total; number++) {
    const dueAt = startedAt + (number * 1_000) / rate
    const early = dueAt - performance.now()
    // A timer drops fractions, and a request must not start before it is due.
    if (early > 0) await wait(Math.ceil(early))
    pending.push(send(number, dueAt))
  }
  return Promise.all(pending)
}

export interface Offered {
  /** In milliseconds from the moment when a request was due, so that a late start also counts. */
  waits: number[]
  rate: number
  /** Requests, and how many of them had a good answer. */
  offered: number
  answered: number
}

/** @param ask rejects if the answer is not a good one */
export async function offer(ask: () => Promise<unknown>, load: Load): Promise<Offered> {
  const waits: number[] = []
  const one = async (dueAt: number) => {
    await ask()
    waits.push(performance.now() - dueAt)
  }
  const sent = await sendSteadily((_, dueAt) => one(dueAt).catch(() => {}), load)
  return { waits, rate: load.rate, offered: sent.length, answered: waits.length }
}
