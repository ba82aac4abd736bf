import { liveProcesses } from '#processes/live_processes'
import { gaugeGroup } from './gauge_group.ts'

/** During an upgrade, there are two versions. */
const MOST_VERSIONS = 10

export const liveProcessGauges = gaugeGroup({
  gauges: {
    gatehouse_processes: 'Processes of this installation by version, as the database knows them.',
  },
  async read() {
    const processes = await liveProcesses()
    const versions = [...new Set(processes.map(({ version }) => version))].slice(0, MOST_VERSIONS)
    return {
      gatehouse_processes: versions.map((version) => ({
        labels: { version },
        value: processes.filter((each) => each.version === version).length,
      })),
    }
  },
})
