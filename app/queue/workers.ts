import { type QueueName } from '#config/queue'
import { QueueWorker } from './worker.ts'

const workers = new Map<QueueName, QueueWorker>()

export function startWorker(queue: QueueName) {
  const worker = new QueueWorker(queue)
  workers.set(queue, worker)
  worker.start()
}

/** Wakes only the worker of this process. Another process looks within `POLL_MS`. */
export function wakeWorker(queue: QueueName) {
  workers.get(queue)?.wake()
}

export async function stopWorkers() {
  await Promise.all([...workers.values()].map((worker) => worker.stop()))
  workers.clear()
}
