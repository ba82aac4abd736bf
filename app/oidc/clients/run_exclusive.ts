/* Steps with the same key run one after another in this process. */

const turns = new Map<string, Promise<unknown>>()

export function isRunning(key: string) {
  return turns.has(key)
}

export async function runExclusive<T>(key: string, step: () => Promise<T>): Promise<T> {
  const previous = turns.get(key) ?? Promise.resolve()
  const turn = previous.then(step)
  const settled = turn.catch(() => undefined)
  turns.set(key, settled)
  try {
    return await turn
  } finally {
    if (turns.get(key) === settled) turns.delete(key)
  }
}
