const MESSAGE = `Cannot read properties of undefined (reading 'queue')`

/**
 * A defect of @boringnode/queue 0.6.0: `Worker.process` awaits a job that outlives `idleDelay`
 * twice, and reads `queue` of undefined at its end. `tests/functional/mail/worker.spec.ts` fails
 * as soon as it is fixed.
 */
export function isRepeatedCompletion(error: Error) {
  if (!(error instanceof TypeError)) return false
  const [, thrownAt] = error.stack!.split('\n    at ')
  return error.message === MESSAGE && thrownAt.startsWith('Worker.process ')
}
