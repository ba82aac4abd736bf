import { STORE_OPERATIONS, storeDurations } from '#telemetry/durations'
import type { TokenStore } from './contract.ts'

/** Operations of a request with a token, which are measured only if metrics are read. */
const FREQUENT = ['findApiKey', 'readConfiguration', 'tokenStatus']

type Operation = (...args: unknown[]) => unknown

/** Measures the methods of this store from now on. */
export function measureStore(store: TokenStore, { isFull }: { isFull: boolean }) {
  const operations = store as unknown as Record<string, Operation>
  for (const name of STORE_OPERATIONS) {
    if (isFull || !FREQUENT.includes(name)) operations[name] = measured(store, name)
  }
  return store
}

function measured(store: TokenStore, name: (typeof STORE_OPERATIONS)[number]): Operation {
  const operation = (store[name] as Operation).bind(store)
  return (...args) => {
    const startedAt = performance.now()
    const note = () => storeDurations.observe(performance.now() - startedAt, name)
    const result = operation(...args)
    // A result from memory must not become a promise, which would delay the request.
    if (result instanceof Promise) result.then(note, note)
    else note()
    return result
  }
}
