import type { Family, Sample } from './family.ts'

interface Described {
  name: string
  help: string
  /** Upper bounds in seconds, in their order. */
  bounds: number[]
  /** A label with its values. A duration with another value is not measured. */
  label?: { name: string; values: string[] }
}

interface Series {
  /** One bucket more than there are bounds. */
  buckets: number[]
  sum: number
}

const NO_LABEL = ''

/** Counts durations in plain numbers. */
export class Histogram {
  #described: Described
  #series = new Map<string, Series>()

  constructor(described: Described) {
    this.#described = described
    const buckets = () => new Array<number>(described.bounds.length + 1).fill(0)
    const values = described.label?.values ?? [NO_LABEL]
    for (const value of values) this.#series.set(value, { buckets: buckets(), sum: 0 })
  }

  observe(ms: number, value = NO_LABEL) {
    const series = this.#series.get(value)
    if (!series) return
    const { bounds } = this.#described
    const seconds = ms / 1_000
    let at = 0
    while (at < bounds.length && seconds > bounds[at]) at++
    series.buckets[at]++
    series.sum += seconds
  }

  family(): Family {
    const { name, help } = this.#described
    const samples = [...this.#series].flatMap(([value, series]) => this.#samplesOf(value, series))
    return { name, help, type: 'histogram', samples }
  }

  #samplesOf(value: string, { buckets, sum }: Series): Sample[] {
    const { bounds, label } = this.#described
    const labels: Record<string, string> = label ? { [label.name]: value } : {}
    let total = 0
    const cumulative = buckets.map((number, at) => {
      total += number
      const le = String(bounds[at] ?? '+Inf')
      return { suffix: '_bucket', labels: { ...labels, le }, value: total }
    })
    const sums = [
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: total },
    ]
    return [...cumulative, ...sums]
  }
}
