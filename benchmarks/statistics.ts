export function percentile(values: number[], percent: number) {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))]
}

export type Waits = Record<'p50' | 'p95' | 'p99', number>

export function waitsOf(times: number[]): Waits {
  const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(times, percent))
  return { p50, p95, p99 }
}

export function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

export interface Ratio {
  median: number
  lowest: number
  highest: number
}

/** The ratio of two series round by round, so that what slows a whole round down cancels out. */
export function ratioOf(values: number[], baseline: number[]): Ratio {
  const ratios = values.map((value, round) => value / baseline[round])
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

/** So seldom is the median of all possible rounds outside. */
const MISSED = 0.071

/**
 * Between which the median is with a confidence of 93 %: of eight values, all but the lowest and the
 * highest. Each value is as often below the median as above (binomial distribution).
 */
export function medianWithin(values: number[]): Ratio {
  const sorted = values.toSorted((one, other) => one - other)
  const { length } = sorted
  let [left, chance] = [0, 0.5 ** length]
  let missed = 2 * chance
  for (;;) {
    chance *= (length - left) / (left + 1)
    missed += 2 * chance
    if (missed > MISSED) break
    left++
  }
  return { median: median(sorted), lowest: sorted[left], highest: sorted[length - 1 - left] }
}
