import { readMetrics } from '#health/metrics/registry'

/** The value of a series as a scraper reads it, such as `gatehouse_locks_total{kind="device"}`. */
export async function metric(series: string) {
  const { text } = await readMetrics()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

/** By how much a series grows while some work is done. */
export async function growthOf(series: string, work: () => Promise<unknown>) {
  const before = await metric(series)
  await work()
  return (await metric(series))! - (before ?? 0)
}
