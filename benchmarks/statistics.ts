export function percentile(values: number[], percent: number) {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
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

/** Returns the ratio of two series round by round, so that a slow round cancels out. */
export function ratioOf(values: number[], baseline: number[]): Ratio {
  const ratios = values.map((value, round) => value / baseline[round])
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

/** How often a sample with as many rounds as were measured is drawn. */
const DRAWS = 300

/**
 * Returns by how much a percentile of all rounds together is higher, with a confidence of 93 %.
 * Efron's bootstrap draws rounds with repetition: one round's percentile rests on few long waits.
 */
export function percentileBetween(
  { values, baseline }: { values: number[][]; baseline: number[][] },
  percent: number
): Ratio {
  const waits = (series: number[][], rounds: number[]) => rounds.flatMap((at) => series[at])
  const longerBy = (rounds: number[]) =>
    percentile(waits(values, rounds), percent) - percentile(waits(baseline, rounds), percent)
  const all = values.map((_, at) => at)
  const draw = () => all.map(() => Math.floor(Math.random() * all.length))
  const drawn = Array.from({ length: DRAWS }, () => longerBy(draw()))
  const [lowest, highest] = [3.5, 96.5].map((each) => percentile(drawn, each))
  return { median: longerBy(all), lowest, highest }
}
