/** Calls during a run share the next run, so that each result is newer than its call. */
export function oneAtATime<Result>(task: () => Promise<Result>) {
  let running: Promise<Result> | null = null
  let next: Promise<Result> | null = null

  function run() {
    running = task().finally(() => {
      running = null
    })
    return running
  }

  function runNext() {
    next = null
    return run()
  }

  return () => {
    if (!running && !next) return run()
    next ??= running!.then(runNext, runNext)
    return next
  }
}
