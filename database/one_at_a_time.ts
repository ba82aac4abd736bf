/**
 * A task that never runs twice at once. A call during a run waits for the end of that run, and
 * shares the next run with every other call that waits: its result is younger than the call.
 */
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
