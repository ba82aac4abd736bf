const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @returns milliseconds of a text such as `15m`; null for any other text */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  return unit ? Number(amount) * UNITS[unit as keyof typeof UNITS] : null
}

export function formatDuration(milliseconds: number) {
  const [unit, size] = Object.entries(UNITS)
    .toReversed()
    .find(([, each]) => milliseconds % each === 0)!
  return `${milliseconds / size}${unit}`
}
