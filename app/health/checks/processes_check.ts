import { BaseCheck } from '@adonisjs/core/health'
import { version } from '#config/app'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { liveProcesses, type LiveProcess } from '#processes/live_processes'

/** During an upgrade, a process of another version runs beside this one, but not for long. */
export class ProcessesCheck extends BaseCheck {
  name = 'processes'

  async run() {
    const processes = await liveProcesses()
    if (processes.length === 0) return passed(sentence('processes.none'))
    const counts = countByVersion(processes)
    const running = [...counts]
      .toSorted()
      .map(([name, count]) => sentence('processes.running', { count, version: name }))
    if (counts.size === 1 && counts.has(version)) return passed(running)
    const finding = [running, sentence('processes.other', { version })]
    return warning(finding, sentence('processes.remedy'))
  }
}

function countByVersion(processes: LiveProcess[]) {
  const counts = new Map<string, number>()
  for (const { version: name } of processes) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
