import { BaseCheck, Result } from '@adonisjs/core/health'
import { version } from '#config/app'
import { liveProcesses, type LiveProcess } from '#processes/live_processes'

/** A process of another version serves beside this one during an upgrade, and not for long. */
export class ProcessesCheck extends BaseCheck {
  name = 'processes'

  async run() {
    const processes = await liveProcesses()
    if (processes.length === 0) return Result.ok('no server runs')
    const counts = countByVersion(processes)
    const message = [...counts]
      .toSorted()
      .map(([name, count]) => `${count} of ${name}`)
      .join(', ')
    if (counts.size === 1 && counts.has(version)) return Result.ok(message)
    const remedy = 'Start each server with the same version: docs/upgrade.md.'
    return Result.warning(`${message}; this is ${version}`).setMetaData({ remedy })
  }
}

function countByVersion(processes: LiveProcess[]) {
  const counts = new Map<string, number>()
  for (const { version: name } of processes) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
