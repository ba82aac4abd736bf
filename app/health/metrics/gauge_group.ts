import type { Sample } from '#telemetry/family'

/** Gauges that one bounded statement reads at each scrape. */
export interface GaugeGroup<Name extends string = string> {
  /** The help text of each gauge, by its name. */
  gauges: Record<Name, string>
  read(): Promise<Record<Name, Sample[]>>
}

export function gaugeGroup<Name extends string>(group: GaugeGroup<Name>): GaugeGroup {
  return group
}

/** Returns no sample for null, such as the age of a backup that was never made. */
export function valueOf(value: number | null): Sample[] {
  return value === null ? [] : [{ value }]
}
