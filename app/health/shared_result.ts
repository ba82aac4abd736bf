/**
 * One run serves every caller until its result is older than `keptMs`, so that readers cannot
 * multiply its cost. An error is not kept.
 */
export function shared<Result>(run: () => Promise<Result>, keptMs: number) {
  let current: { result: Promise<Result>; endedAt: number | null } | null = null

  const isKept = ({ endedAt }: { endedAt: number | null }) =>
    endedAt === null || Math.abs(Date.now() - endedAt) < keptMs

  return () => {
    if (current && isKept(current)) return current.result
    const started = (current = { result: run(), endedAt: null as number | null })
    started.result.then(
      () => (started.endedAt = Date.now()),
      () => (current = current === started ? null : current)
    )
    return started.result
  }
}
