import { readMetrics } from '#health/metrics/registry'

/** Returns the value that a scraper reads, such as of `gatehouse_locks_total{kind="device"}`. */
export async function metric(series: string) {
  const { text } = await readMetrics()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

/** Returns by how much a series grows while the work is done. */
export async function growthOf(series: string, work: () => Promise<unknown>) {
  const before = await metric(series)
  await work()
  return (await metric(series))! - (before ?? 0)
}
