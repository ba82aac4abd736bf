/** One value of a metric. Labels come from closed sets: no user, client or endpoint is in one. */
export interface Sample {
  value: number
  labels?: Record<string, string>
  /** For a histogram: `_bucket`, `_sum` or `_count`. */
  suffix?: string
}

export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

/** Formats a family in Prometheus's text format, version 0.0.4. */
export function toText({ name, help, type, samples }: Family) {
  const lines = samples.map(({ value, labels, suffix = '' }) => {
    return `${name}${suffix}${labelsOf(labels)} ${value === Infinity ? '+Inf' : value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function labelsOf(labels: Record<string, string> = {}) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string) {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
