import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from './endpoint.ts'
import type { Message } from './messages.ts'
import { sendMessage, type Outcome } from './send_message.ts'

/** A pause after each try lets requests run, because a nearby receiver answers immediately. */
const PAUSE_MS = 2

export interface Chunk {
  /** Messages in the order in which they are sent. */
  queue: Message[]
  /** Whether the chunk is full: its messages are then sent without a pause. */
  isBacklog: boolean
}

interface Sending extends Chunk {
  isOver: () => boolean
}

/** @param unsaved gets the outcome of each try */
export async function sendInOrder(
  endpoint: Endpoint,
  { queue, isBacklog, isOver }: Sending,
  unsaved: Outcome[]
) {
  for (let message = queue.shift(); message; message = isOver() ? undefined : queue.shift()) {
    unsaved.push(await sendMessage(endpoint, message))
    if (!isBacklog) await sleep(PAUSE_MS)
  }
}
