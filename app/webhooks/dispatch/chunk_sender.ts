import { saveRegularly } from './save_regularly.ts'
import { sendInOrder, type Chunk } from './send_in_order.ts'
import type { Endpoint } from './endpoint.ts'
import type { Outcome } from './send_message.ts'

/** An older body is composed again, because its user may be erased or the webhook changed. */
const FRESH_MS = 2_000

/**
 * Sends chunks to one endpoint, never more messages at the same time than it has places. A chunk
 * gets the places that are free, because a message of an earlier one may wait for its answer.
 */
export class ChunkSender {
  /** Deliveries that are being sent, or whose outcome is not saved yet. */
  readonly taken = new Set<string>()

  readonly #places: number
  readonly #senders = new Set<Promise<void>>()
  readonly #chunks = new Set<Promise<void>>()
  #isStopping = false

  constructor(places: number) {
    this.#places = places
  }

  get isFull() {
    return this.#senders.size >= this.#places
  }

  get isSending() {
    return this.#chunks.size > 0
  }

  stop() {
    this.#isStopping = true
  }

  /** Resolves when a place is free. */
  async waitForPlace() {
    if (this.isFull) await Promise.race(this.#senders)
  }

  /** Resolves when everything is sent and saved. @throws the first error of the database */
  async finish() {
    await Promise.all(this.#chunks)
  }

  /** Leaves in the queue what would be too old. Resolves when the outcomes are saved. */
  send(endpoint: Endpoint, chunk: Chunk) {
    const unsaved: Outcome[] = []
    const saving = saveRegularly(endpoint.webhook, unsaved)
    const end = performance.now() + FRESH_MS
    const isOver = () => this.#isStopping || performance.now() > end
    const ids = chunk.queue.map(({ delivery }) => delivery.id)
    for (const id of ids) this.taken.add(id)
    const senders = Array.from({ length: this.#places - this.#senders.size }, () =>
      tracked(this.#senders, sendInOrder(endpoint, { ...chunk, isOver }, unsaved))
    )
    const finish = async () => {
      await Promise.all(senders)
      await endpoint.close()
      await saving.finish()
      for (const id of ids) this.taken.delete(id)
    }
    return tracked(this.#chunks, finish())
  }
}

/** Keeps a promise in the set until it is fulfilled; a rejected one stays for `finish`. */
function tracked(set: Set<Promise<void>>, promise: Promise<void>) {
  set.add(promise)
  promise.then(
    () => set.delete(promise),
    () => {}
  )
  return promise
}
