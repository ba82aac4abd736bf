const MESSAGE = `Cannot read properties of undefined (reading 'queue')`

/**
 * A defect of @boringnode/queue 0.6.0: `Worker.process` waits anew for a job that outlives
 * `idleDelay`, while its former wait goes on. At the end of the job the former wait takes
 * it out of the pool, and the new one reads `queue` of undefined. The job itself was
 * delivered. `tests/functional/mail/worker.spec.ts` fails once the library is mended.
 *
 * Message and first stack frame are compared, so that every other TypeError is reported.
 */
export function isRepeatedCompletion(error: Error) {
  if (!(error instanceof TypeError)) return false
  const [, thrownAt] = error.stack!.split('\n    at ')
  return error.message === MESSAGE && thrownAt.startsWith('Worker.process ')
}
